#include "firmware/kernels/kv_layout.h"

#include <fmt/format.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

void check(const AddressMap& map, const StackGeometry& geometry) {
  ensure(map.capacity() == static_cast<std::uint64_t>(geometry.capacity().count),
         "an address map is used with the geometry it was parsed for");
  if (map.mask(Coordinate::kByte) != static_cast<std::uint64_t>(geometry.column_bytes) - 1) {
    throw SettingError("address_map",
                       "an address map must end with `byte`, so that a column is contiguous");
  }
}

void check(const KvShape& shape, const StackGeometry& geometry) {
  if (shape.block_tokens < 1) {
    throw SettingError("kv.block_tokens",
                       fmt::format("a block must hold at least 1 token, but block_tokens is {}",
                                   shape.block_tokens));
  }
  if (shape.kv_bytes_per_token < 1 || shape.kv_bytes_per_token % geometry.column_bytes != 0) {
    throw SettingError(
        "model.head_dim",
        fmt::format("a token must fill whole columns of {} B, but kv_bytes_per_token is {}",
                    geometry.column_bytes, shape.kv_bytes_per_token));
  }
  const auto capacity = geometry.capacity().count;
  if (shape.kv_bytes_per_token > capacity ||
      shape.block_tokens > capacity / shape.kv_bytes_per_token) {
    throw SettingError(
        "kv.block_tokens",
        fmt::format("a block of {} tokens x {} B does not fit into the stack of {} B",
                    shape.block_tokens, shape.kv_bytes_per_token, capacity));
  }
}

}  // namespace

KvLayout::KvLayout(AddressMap map, const StackGeometry& geometry, KvShape shape)
    : map_(std::move(map)), geometry_(geometry), shape_(shape) {
  check(map_, geometry_);
  check(shape_, geometry_);
  blocks_in_stack_ = geometry_.capacity().count / (shape_.block_tokens * shape_.kv_bytes_per_token);
  granule_bytes_ =
      static_cast<std::uint64_t>(shape_.kv_bytes_per_token & -shape_.kv_bytes_per_token);

  const auto channel_inside = map_.mask(Coordinate::kChannel) & (granule_bytes_ - 1);
  for (std::uint64_t offset = 0; offset < granule_bytes_;
       offset += static_cast<std::uint64_t>(geometry_.column_bytes)) {
    const auto location = map_.decode(offset);
    if ((offset & channel_inside) == 0) offsets_.push_back(burst_of(location));
  }

  const int open_bits = map_.decode(channel_inside).channel;
  class_of_channel_.resize(static_cast<std::size_t>(geometry_.flat_channels()));
  for (int channel = 0; channel < geometry_.flat_channels(); ++channel) {
    const int representative = channel & ~open_bits;
    auto& index = class_of_channel_[static_cast<std::size_t>(channel)];
    if (channel == representative) {
      index = classes_.size();
      classes_.push_back({channel, {}});
    } else {
      index = class_of_channel_[static_cast<std::size_t>(representative)];
    }
    classes_[index].members.push_back(channel);
  }
}

Burst KvLayout::burst_of(const Location& location) const {
  const int lane =
      (location.stack_id * geometry_.bank_groups + location.bank_group) * geometry_.banks +
      location.bank;
  return {lane, location.row, location.column};
}

void KvLayout::ensure_inside(BlockId block, std::int64_t first_token, std::int64_t tokens) const {
  ensure(block >= 0 && block < blocks_in_stack_, "a block of a table lies in the stack");
  ensure(first_token >= 0 && tokens >= 0 && first_token + tokens <= shape_.block_tokens,
         "tokens of a block lie in the block");
}

}  // namespace lockstep
