// The free blocks of a pool cut into regions (the blocks under one row index of all banks and
// channels): which region an owner fills, and which region has how much room.
#pragma once

#include <cstdint>
#include <map>
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

  // A block of the region that the owner is filling, or if that is full of the one with most room,
  // which it fills from then on. One must be free.
  BlockId take_for(SequenceId owner);
  BlockId take(RegionIndex region);  // its lowest free block; it must have one
  void give(BlockId block);
  void fill_next(SequenceId owner, RegionIndex region) { filling_[owner] = region; }
  void forget(SequenceId owner) { filling_.erase(owner); }

  std::int32_t free_blocks() const { return free_; }
  std::int32_t blocks_per_region() const { return blocks_per_region_; }
  RegionIndex region_of(BlockId block) const { return block / blocks_per_region_; }
  std::int32_t room(RegionIndex region) const;  // its free blocks
  // The region with least room that has `blocks` or more, the lowest of equals.
  std::optional<RegionIndex> tightest(std::int32_t blocks) const;

 private:
  RegionIndex roomiest() const;  // the lowest of equals

  const std::int32_t blocks_per_region_;
  std::int32_t free_;
  std::vector<std::vector<BlockId>> free_in_;     // by region: a heap, lowest block first
  std::vector<std::set<RegionIndex>> with_room_;  // by free blocks
  std::map<SequenceId, RegionIndex> filling_;
};

}  // namespace lockstep
