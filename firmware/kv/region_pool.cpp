#include "firmware/kv/region_pool.h"

#include <algorithm>
#include <functional>

#include "tlm/contract/errors.h"

namespace lockstep {

RegionPool::RegionPool(std::int32_t pool_blocks, std::int32_t blocks_per_region)
    : blocks_per_region_(blocks_per_region),
      free_(pool_blocks),
      free_in_(static_cast<std::size_t>(pool_blocks / blocks_per_region)),
      with_room_(static_cast<std::size_t>(blocks_per_region) + 1) {
  for (BlockId block = 0; block < pool_blocks; ++block) {
    free_in_[static_cast<std::size_t>(region_of(block))].push_back(block);
  }
  for (RegionIndex region = 0; region < pool_blocks / blocks_per_region; ++region) {
    with_room_.back().insert(with_room_.back().end(), region);
  }
}

BlockId RegionPool::take_for(SequenceId owner) {
  const auto filling = filling_.find(owner);
  if (filling != filling_.end() && room(filling->second) > 0) return take(filling->second);
  const auto region = roomiest();
  filling_[owner] = region;
  return take(region);
}

BlockId RegionPool::take(RegionIndex region) {
  auto& heap = free_in_[static_cast<std::size_t>(region)];
  ensure(!heap.empty(), "a block was taken from a full region");
  with_room_[heap.size()].erase(region);
  std::pop_heap(heap.begin(), heap.end(), std::greater<>());
  const auto block = heap.back();
  heap.pop_back();
  with_room_[heap.size()].insert(region);
  --free_;
  return block;
}

void RegionPool::give(BlockId block) {
  const auto region = region_of(block);
  auto& heap = free_in_[static_cast<std::size_t>(region)];
  with_room_[heap.size()].erase(region);
  heap.push_back(block);
  std::push_heap(heap.begin(), heap.end(), std::greater<>());
  with_room_[heap.size()].insert(region);
  ++free_;
}

std::int32_t RegionPool::room(RegionIndex region) const {
  return static_cast<std::int32_t>(free_in_[static_cast<std::size_t>(region)].size());
}

std::optional<RegionIndex> RegionPool::tightest(std::int32_t blocks) const {
  for (auto room = static_cast<std::size_t>(blocks); room < with_room_.size(); ++room) {
    if (!with_room_[room].empty()) return *with_room_[room].begin();
  }
  return std::nullopt;
}

RegionIndex RegionPool::roomiest() const {
  ensure(free_ > 0, "a block was taken from a full pool");
  auto room = with_room_.size() - 1;
  while (with_room_[room].empty()) --room;
  return *with_room_[room].begin();
}

}  // namespace lockstep
