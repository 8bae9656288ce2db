// Where the blocks of one KV head of one request lie: in their place, or as a copy in one of the
// head's packed rows. K and V of a complete block never change, so a copy may be dropped at any
// time.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/dsa/block_list.h"
#include "firmware/kv/block.h"

namespace lockstep {

// Copies `block` to `slot` of the packed rows, over whatever was there.
struct HotCopy {
  BlockIndex block = 0;
  std::int32_t slot = 0;
};

class HotBlocks {
 public:
  // `places` by block of the sequence; packed slot s is block `first_slot + s` of the pool.
  HotBlocks(const std::vector<BlockId>& places, BlockId first_slot, std::int32_t slots);

  BlockId place(BlockIndex block) const {
    const auto slot = slot_of_[static_cast<std::size_t>(block)];
    return slot == kNone ? home(block) : first_slot_ + slot;
  }
  BlockId home(BlockIndex block) const { return (*places_)[static_cast<std::size_t>(block)]; }
  BlockId slot_place(std::int32_t slot) const { return first_slot_ + slot; }
  std::int32_t slots() const { return static_cast<std::int32_t>(held_.size()); }

  void apply(const HotCopy& copy);

  // Copies that bring the best of `scores` (NaN: cannot be chosen) into the slots, best first, at
  // most `most`; what is not among the best gives way, worst first. Applies them.
  std::vector<HotCopy> follow(Span<double> scores, std::int64_t most);

 private:
  static constexpr std::int32_t kNone = -1;

  const std::vector<BlockId>* places_;
  BlockId first_slot_;
  std::vector<std::int32_t> slot_of_;  // by block
  std::vector<BlockIndex> held_;       // by slot
};

}  // namespace lockstep
