#include "firmware/kv/region_gather.h"

#include <algorithm>

namespace lockstep {

RegionGather::RegionGather(const PoolConfig& config, const GatherLimits& limits)
    : RegionPolicy(config), limits_(limits), runs_(config.pool_blocks, config.blocks_per_region) {}

std::optional<std::vector<BlockId>> RegionGather::place(SequenceId sequence,
                                                        std::int32_t blocks_now,
                                                        std::int32_t blocks_final) {
  auto blocks = RegionPolicy::place(sequence, blocks_now, blocks_final);
  if (blocks) {
    for (const auto block : *blocks) runs_.append(sequence, block);
  }
  return blocks;
}

std::optional<BlockId> RegionGather::place_next(SequenceId sequence) {
  const auto block = RegionPolicy::place_next(sequence);
  if (block) runs_.append(sequence, *block);
  return block;
}

void RegionGather::take_back(BlockId block) {
  runs_.drop(block);
  RegionPolicy::take_back(block);
}

void RegionGather::forget(SequenceId sequence) {
  runs_.forget(sequence);
  RegionPolicy::forget(sequence);
}

std::vector<BlockMove> RegionGather::plan_moves() {
  std::vector<BlockMove> moves;
  auto left = limits_.blocks_per_step;
  for (const auto sequence : runs_.most_scattered(limits_.sequences_per_step)) {
    while (const auto merge = cheapest_merge(sequence, std::min(left, limits_.blocks_per_visit))) {
      carry_out(*merge, moves);
      left -= merge->blocks;
    }
  }
  return moves;
}

// Of all pairs of neighbours that fit one region, and all ways to bring them into one.
std::optional<RegionGather::Merge> RegionGather::cheapest_merge(SequenceId sequence,
                                                                std::int32_t limit) const {
  std::optional<Merge> best;
  const auto keep = [&](std::optional<Merge> merge) {
    if (!merge) return;
    limit = merge->blocks - 1;
    best = std::move(merge);
  };
  const auto runs = runs_.runs_of(sequence);
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
    const auto& a = runs[i];
    const auto& b = runs[i + 1];
    if (a.end() != b.first || a.length + b.length > pool_.blocks_per_region()) continue;
    keep(join(a, b, limit));
    keep(join(b, a, limit));
    keep(meet_elsewhere(a, b, limit));
  }
  return best;
}

// `goes` joins `stays`; the shortest runs of other sequences make room where there is too little.
std::optional<RegionGather::Merge> RegionGather::join(const BlockRun& stays, const BlockRun& goes,
                                                      std::int32_t limit) const {
  Merge merge{{}, goes.length};
  if (merge.blocks > limit || !movable(goes)) return std::nullopt;
  auto room = pool_.room(stays.region);
  if (room < goes.length) {
    for (const auto& other : runs_.runs_in(stays.region)) {
      if (other.sequence == stays.sequence || !movable(other)) continue;
      if (merge.blocks + other.length > limit) return std::nullopt;
      const auto hole = hole_for(other, merge);
      if (!hole) continue;
      merge.relocations.push_back({other, *hole});
      merge.blocks += other.length;
      room += other.length;
      if (room >= goes.length) break;
    }
  }
  if (room < goes.length) return std::nullopt;
  merge.relocations.push_back({goes, stays.region});
  return merge;
}

std::optional<RegionGather::Merge> RegionGather::meet_elsewhere(const BlockRun& a,
                                                                const BlockRun& b,
                                                                std::int32_t limit) const {
  const auto blocks = a.length + b.length;
  if (blocks > limit || !movable(a) || !movable(b)) return std::nullopt;
  const auto to = pool_.tightest(blocks);
  if (!to || *to == a.region || *to == b.region) return std::nullopt;
  return Merge{{{a, *to}, {b, *to}}, blocks};
}

// Room for a whole run outside its region after the relocations `before`; best beside a neighbour
// of its own, for that saves a row visit too.
std::optional<RegionIndex> RegionGather::hole_for(const BlockRun& run, const Merge& before) const {
  const auto fits = [&](RegionIndex region) {
    auto room = pool_.room(region);
    for (const auto& relocation : before.relocations) {
      if (relocation.to == region) room -= relocation.run.length;
    }
    return region != run.region && room >= run.length;
  };
  for (const auto index : {run.first - 1, run.end()}) {
    const auto neighbour = runs_.block(run.sequence, index);
    if (neighbour && fits(pool_.region_of(*neighbour))) return pool_.region_of(*neighbour);
  }
  const auto region = pool_.tightest(run.length);
  return region && fits(*region) ? region : std::nullopt;
}

// A block that others share stays: their tables name it too.
bool RegionGather::movable(const BlockRun& run) const {
  for (auto index = run.first; index < run.end(); ++index) {
    if (refs(*runs_.block(run.sequence, index)) != 1) return false;
  }
  return true;
}

void RegionGather::carry_out(const Merge& merge, std::vector<BlockMove>& moves) {
  for (const auto& [run, region] : merge.relocations) {
    for (auto index = run.first; index < run.end(); ++index) {
      const auto from = *runs_.block(run.sequence, index);
      const auto to = pool_.take(region);
      pool_.give(from);
      runs_.move(run.sequence, index, to);
      moves.push_back({run.sequence, from, to});
    }
    if (runs_.is_last(run)) pool_.fill_next(run.sequence, region);
  }
}

}  // namespace lockstep
