// The free blocks of a pool cut into regions (the blocks under one row index of all banks and
// channels), by region and by how much room a region has.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "firmware/kv/block.h"

namespace lockstep {

using RegionIndex = std::int32_t;

class RegionPool {
 public:
  // All free. `pool_blocks` is a multiple of `blocks_per_region`.
  RegionPool(std::int32_t pool_blocks, std::int32_t blocks_per_region);

  BlockId take(RegionIndex region);  // its lowest free block; it must have one
  void give(BlockId block);

  std::int32_t room(RegionIndex region) const;  // its free blocks
  RegionIndex region_of(BlockId block) const { return block / blocks_per_region_; }
  std::int32_t blocks_per_region() const { return blocks_per_region_; }
  std::int32_t free_blocks() const { return free_; }
  std::int32_t empty_regions() const;

  // The region with most room, and the one with least that has `blocks` or more; the lowest of
  // equals. nullopt if there is none. O(blocks per region + log regions).
  std::optional<RegionIndex> roomiest() const;
  std::optional<RegionIndex> tightest(std::int32_t blocks) const;

 private:
  const std::int32_t blocks_per_region_;
  std::int32_t free_;
  std::vector<std::vector<BlockId>> free_in_;     // by region: a heap, lowest block first
  std::vector<std::set<RegionIndex>> with_room_;  // by free blocks
};

}  // namespace lockstep
