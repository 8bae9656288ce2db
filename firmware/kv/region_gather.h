// As the region policy, and in a pool that runs full it moves runs of blocks back together.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "firmware/kv/allocator.h"
#include "firmware/kv/region_pool.h"

namespace lockstep {

struct GatherLimits {
  std::int32_t most_copies_per_run = 8;  // blocks that may be copied for one row visit less
  std::int32_t most_copies = 32;         // of a step, in blocks
  std::int32_t spare_regions = 0;        // at admission
  enum class Prompt { kAnywhere, kTightTail, kWholeRegions } prompt = Prompt::kAnywhere;
  std::int32_t tries = 64;
  enum class Unit { kRun, kSequence } unit = Unit::kRun;
  enum class Victim { kLatest, kMostRegions, kShares } victim = Victim::kLatest;
};

class RegionGather final : public KvAllocator {
 public:
  RegionGather(const PoolConfig& config, const GatherLimits& limits);
  std::int32_t free_blocks() const override { return pool_.free_blocks(); }

 private:
  struct Owner {
    SequenceId sequence = -1;
    std::int32_t index = 0;
  };
  struct Own {
    std::vector<BlockId> blocks;
    std::int32_t runs = 0;
  };
  // Consecutive blocks of one sequence in one region.
  struct Run {
    SequenceId sequence = 0;
    std::int32_t first = 0;
    std::int32_t length = 0;
    RegionIndex region = 0;
  };
  struct Eviction {
    Run run;
    RegionIndex to = 0;
  };
  struct Merge {
    std::int32_t copies = 0;
    std::vector<Eviction> steps;  // in order
  };

  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) override;
  std::optional<std::vector<BlockId>> place_scratch(SequenceId sequence,
                                                    std::int32_t count) override;
  std::optional<BlockId> place_next(SequenceId sequence) override;
  void take_back(BlockId block) override;
  void forget(SequenceId sequence) override;
  std::vector<BlockMove> plan_moves() override;

  BlockId take(SequenceId sequence, RegionIndex region);
  std::optional<SequenceId> victim(SequenceId grower) const override;
  std::optional<Merge> whole_sequence(SequenceId sequence);
  std::optional<Merge> best_merge(SequenceId sequence);
  void consider(const Run& stays, const Run& goes, std::optional<Merge>& best);
  void carry_out(const Eviction& eviction, std::vector<BlockMove>& moves);
  std::vector<Run> runs_of(SequenceId sequence) const;
  std::vector<Run> others_in(RegionIndex region, SequenceId sequence) const;
  bool movable(const Run& run) const;
  std::int32_t excess(const Own& own) const;
  void recount(SequenceId sequence);
  void list(SequenceId sequence, const Own& own);
  void unlist(SequenceId sequence, const Own& own);

  const GatherLimits limits_;
  RegionPool pool_;
  std::vector<Owner> owner_;  // by block
  std::map<SequenceId, Own> own_;
  std::set<std::pair<std::int32_t, SequenceId>> scattered_;  // (-excess, sequence)
};

}  // namespace lockstep
