#include "firmware/kv/region.h"

#include <algorithm>
#include <functional>

namespace lockstep {
namespace {

constexpr SequenceId kScratchOwner = -1;  // all branches of all sequences, when kept separate

}  // namespace

RegionPolicy::RegionPolicy(const PoolConfig& config)
    : KvAllocator(config.pool_blocks),
      blocks_per_region_(config.blocks_per_region),
      scratch_(config.scratch),
      free_(config.pool_blocks),
      free_in_(static_cast<std::size_t>(config.pool_blocks / config.blocks_per_region)) {
  for (BlockId block = 0; block < config.pool_blocks; ++block) {
    free_in_[static_cast<std::size_t>(block / blocks_per_region_)].push_back(block);
  }
  for (Region region = 0; region < config.pool_blocks / blocks_per_region_; ++region) {
    empty_.insert(empty_.end(), region);
  }
}

std::optional<std::vector<BlockId>> RegionPolicy::place(SequenceId sequence,
                                                        std::int32_t blocks_now,
                                                        std::int32_t /*blocks_final*/) {
  return fill(sequence, blocks_now);
}

std::optional<std::vector<BlockId>> RegionPolicy::place_scratch(SequenceId sequence,
                                                                std::int32_t count) {
  return fill(scratch_ == ScratchPlacement::kShared ? sequence : kScratchOwner, count);
}

std::optional<BlockId> RegionPolicy::place_next(SequenceId sequence) {
  if (free_ == 0) return std::nullopt;
  return take(sequence);
}

std::optional<std::vector<BlockId>> RegionPolicy::fill(SequenceId owner, std::int32_t count) {
  if (free_ < count) return std::nullopt;
  std::vector<BlockId> blocks;
  blocks.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) blocks.push_back(take(owner));
  return blocks;
}

BlockId RegionPolicy::take(SequenceId owner) {
  const auto filling = region_of_.find(owner);
  const bool has_room =
      filling != region_of_.end() && !free_in_[static_cast<std::size_t>(filling->second)].empty();
  const auto region = has_room ? filling->second : next_region();
  if (!has_room) region_of_[owner] = region;

  unlist(region);
  auto& heap = free_in_[static_cast<std::size_t>(region)];
  std::pop_heap(heap.begin(), heap.end(), std::greater<>());
  const auto block = heap.back();
  heap.pop_back();
  --free_;
  list(region);
  return block;
}

void RegionPolicy::take_back(BlockId block) {
  const Region region = block / blocks_per_region_;
  unlist(region);
  auto& heap = free_in_[static_cast<std::size_t>(region)];
  heap.push_back(block);
  std::push_heap(heap.begin(), heap.end(), std::greater<>());
  ++free_;
  list(region);
}

// An empty region if there is one, else the one with most room; the lowest of equals.
RegionPolicy::Region RegionPolicy::next_region() const {
  return empty_.empty() ? partly_free_.begin()->second : *empty_.begin();
}

void RegionPolicy::unlist(Region region) {
  const auto room = static_cast<std::int32_t>(free_in_[static_cast<std::size_t>(region)].size());
  if (room == blocks_per_region_) {
    empty_.erase(region);
  } else {
    partly_free_.erase({-room, region});
  }
}

void RegionPolicy::list(Region region) {
  const auto room = static_cast<std::int32_t>(free_in_[static_cast<std::size_t>(region)].size());
  if (room == blocks_per_region_) {
    empty_.insert(region);
  } else if (room > 0) {
    partly_free_.insert({-room, region});
  }
}

}  // namespace lockstep
