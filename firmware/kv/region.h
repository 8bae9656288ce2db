// The row-aware policy: a sequence fills one region (the blocks under one row index) before it
// takes another, so that its all-bank commands find their row open.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "firmware/kv/allocator.h"

namespace lockstep {

class RegionPolicy final : public KvAllocator {
 public:
  explicit RegionPolicy(const PoolConfig& config);
  std::int32_t free_blocks() const override { return free_; }

 private:
  using Region = std::int32_t;

  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) override;
  std::optional<std::vector<BlockId>> place_scratch(SequenceId sequence,
                                                    std::int32_t count) override;
  std::optional<BlockId> place_next(SequenceId sequence) override;
  void take_back(BlockId block) override;
  void forget(SequenceId sequence) override { region_of_.erase(sequence); }

  std::optional<std::vector<BlockId>> fill(SequenceId owner, std::int32_t count);
  BlockId take(SequenceId owner);
  Region next_region() const;
  void unlist(Region region);
  void list(Region region);

  const std::int32_t blocks_per_region_;
  const ScratchPlacement scratch_;
  std::int32_t free_;
  std::vector<std::vector<BlockId>> free_in_;              // by region: a heap, lowest block first
  std::set<Region> empty_;                                 // regions all of whose blocks are free
  std::set<std::pair<std::int32_t, Region>> partly_free_;  // (-free blocks, region)
  std::map<SequenceId, Region> region_of_;                 // the region a sequence is filling
};

}  // namespace lockstep
