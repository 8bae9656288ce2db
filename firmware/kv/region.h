// The row-aware policy: a sequence fills one region (the blocks under one row index) before it
// takes another, so that its all-bank commands find their row open.
#pragma once

#include "firmware/kv/allocator.h"
#include "firmware/kv/region_pool.h"

namespace lockstep {

class RegionPolicy : public KvAllocator {
 public:
  explicit RegionPolicy(const PoolConfig& config);
  std::int32_t free_blocks() const final { return pool_.free_blocks(); }

 protected:
  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) override;
  std::optional<BlockId> place_next(SequenceId sequence) override;
  void take_back(BlockId block) override { pool_.give(block); }
  void forget(SequenceId sequence) override { pool_.forget(sequence); }

  RegionPool pool_;

 private:
  std::optional<std::vector<BlockId>> place_scratch(SequenceId sequence, std::int32_t count) final;
  std::optional<std::vector<BlockId>> fill(SequenceId owner, std::int32_t count);

  const ScratchPlacement scratch_;
};

}  // namespace lockstep
