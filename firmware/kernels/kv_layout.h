// Where the tokens of a paged KV cache lie in the stack, as bursts per channel. Channels that
// provably see the same bursts form a class and are walked once.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kv/block.h"
#include "tlm/contract/address_map.h"
#include "tlm/contract/geometry.h"
#include "tlm/contract/span.h"

namespace lockstep {

struct KvShape {
  std::int64_t block_tokens = 0;
  std::int64_t kv_bytes_per_token = 0;  // K and V of all heads of one layer
};

// One column access as its bank sees it.
struct Burst {
  std::int32_t lane = 0;  // bank in the all-bank command: 0 … banks_per_pseudo_channel - 1
  std::int32_t row = 0;
  std::int32_t column = 0;
};

// Channels with equal bursts in equal order, whatever the block table is.
struct ChannelClass {
  int representative = 0;    // its lowest flat channel
  std::vector<int> members;  // ascending, with the representative
};

using ChannelClasses = std::vector<ChannelClass>;

// A granule is the largest power of two of bytes that divides a token, and with it a block: every
// token is a run of aligned granules. An address map permutes bits, so the location of a byte is
// the location of its granule OR that of its offset, and channels that differ only in bits inside
// the granule see the same bursts in the same order. Those bits are what a class leaves open.
class KvLayout {
 public:
  // `map` must have been parsed for `geometry`. Throws InputError, one sentence, if the map
  // scatters a column, a token is not a whole number of columns, or no block fits the stack.
  KvLayout(AddressMap map, const StackGeometry& geometry, KvShape shape);

  const AddressMap& map() const { return map_; }
  const StackGeometry& geometry() const { return geometry_; }
  const KvShape& shape() const { return shape_; }
  // Ascending by representative. Every channel is in exactly one.
  const ChannelClasses& classes() const { return classes_; }
  std::int64_t blocks_in_stack() const { return blocks_in_stack_; }

  // Calls visit(class index, granule's Burst, offsets) for each granule of `tokens` tokens of
  // `block` from `first_token` on, in token order. A burst of the class is the granule's Burst
  // with each field ORed with that of an offset; offsets are in address order.
  template <typename Visitor>
  void for_each_granule(BlockId block, std::int64_t first_token, std::int64_t tokens,
                        Visitor&& visit) const {
    ensure_inside(block, first_token, tokens);
    auto address = static_cast<std::uint64_t>((block * shape_.block_tokens + first_token) *
                                              shape_.kv_bytes_per_token);
    const auto end = address + static_cast<std::uint64_t>(tokens * shape_.kv_bytes_per_token);
    for (; address < end; address += granule_bytes_) {
      const auto location = map_.decode(address);
      visit(class_of_channel_[static_cast<std::size_t>(location.channel)], burst_of(location),
            Span<Burst>(offsets_));
    }
  }

 private:
  Burst burst_of(const Location& location) const;
  void ensure_inside(BlockId block, std::int64_t first_token, std::int64_t tokens) const;

  AddressMap map_;
  StackGeometry geometry_;
  KvShape shape_;
  std::int64_t blocks_in_stack_ = 0;
  std::uint64_t granule_bytes_ = 0;
  std::vector<Burst> offsets_;  // of a granule, in its lowest channel
  ChannelClasses classes_;
  std::vector<std::size_t> class_of_channel_;
};

}  // namespace lockstep
