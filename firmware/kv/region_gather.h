// The region policy for a pool that runs full. Growth then scatters sequences over whatever holes
// there are; this policy moves runs of blocks so that neighbours in a table come back into one
// region, where the row visits saved repay the copies.
#pragma once

#include "firmware/kv/region.h"
#include "firmware/kv/sequence_runs.h"

namespace lockstep {

struct GatherLimits {
  std::int32_t blocks_per_visit = 0;    // copied at most to save a pass one row visit
  std::int32_t blocks_per_step = 0;     // copied at most in one step
  std::int32_t sequences_per_step = 0;  // looked at, the most scattered first
};

// Three quarters of a region per visit: copying a 64 KiB block through the host costs as much as
// about 5 row visits, so a merge is repaid within some 30 steps at most (docs/preemption.md).
constexpr GatherLimits gather_limits(std::int32_t blocks_per_region) {
  return {blocks_per_region * 3 / 4, 4 * blocks_per_region, 16};
}

class RegionGather final : public RegionPolicy {
 public:
  RegionGather(const PoolConfig& config, const GatherLimits& limits);
  explicit RegionGather(const PoolConfig& config)
      : RegionGather(config, gather_limits(config.blocks_per_region)) {}

 private:
  struct Relocation {
    BlockRun run;
    RegionIndex to = 0;
  };
  // Makes one run of two neighbours, in this order.
  struct Merge {
    std::vector<Relocation> relocations;
    std::int32_t blocks = 0;
  };

  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) override;
  std::optional<BlockId> place_next(SequenceId sequence) override;
  void take_back(BlockId block) override;
  void forget(SequenceId sequence) override;
  std::vector<BlockMove> plan_moves() override;

  std::optional<Merge> cheapest_merge(SequenceId sequence, std::int32_t limit) const;
  std::optional<Merge> join(const BlockRun& stays, const BlockRun& goes, std::int32_t limit) const;
  std::optional<Merge> meet_elsewhere(const BlockRun& a, const BlockRun& b,
                                      std::int32_t limit) const;
  std::optional<RegionIndex> hole_for(const BlockRun& run, const Merge& before) const;
  bool movable(const BlockRun& run) const;
  void carry_out(const Merge& merge, std::vector<BlockMove>& moves);

  const GatherLimits limits_;
  SequenceRuns runs_;
};

}  // namespace lockstep
