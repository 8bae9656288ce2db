#include "firmware/kv/region_gather.h"

#include <algorithm>

namespace lockstep {
namespace {
constexpr SequenceId kScratchOwner = -2;
}

RegionGather::RegionGather(const PoolConfig& config, const GatherLimits& limits)
    : KvAllocator(config.pool_blocks),
      limits_(limits),
      pool_(config.pool_blocks, config.blocks_per_region),
      owner_(static_cast<std::size_t>(config.pool_blocks)) {}

std::optional<std::vector<BlockId>> RegionGather::place(SequenceId sequence,
                                                        std::int32_t blocks_now,
                                                        std::int32_t /*blocks_final*/) {
  if (pool_.free_blocks() < blocks_now) return std::nullopt;
  const auto whole = pool_.blocks_per_region();
  if (limits_.prompt == GatherLimits::Prompt::kWholeRegions && !own_.empty()) {
    if (pool_.empty_regions() < (blocks_now + whole - 1) / whole + limits_.spare_regions)
      return std::nullopt;
  } else if (limits_.spare_regions > 0 && !own_.empty()) {
    if (pool_.empty_regions() < blocks_now / whole + limits_.spare_regions) return std::nullopt;
  }
  std::vector<BlockId> blocks;
  auto left = blocks_now;
  own_[sequence];
  while (left > 0) {
    auto region = *pool_.roomiest();
    if (left < whole && limits_.prompt == GatherLimits::Prompt::kTightTail) {
      region = pool_.tightest(left).value_or(region);
    }
    for (auto n = std::min(left, pool_.room(region)); n > 0; --n, --left) {
      blocks.push_back(take(sequence, region));
    }
  }
  recount(sequence);
  return blocks;
}

std::optional<std::vector<BlockId>> RegionGather::place_scratch(SequenceId /*sequence*/,
                                                                std::int32_t count) {
  if (pool_.free_blocks() < count) return std::nullopt;
  std::vector<BlockId> blocks;
  for (int i = 0; i < count; ++i) blocks.push_back(take(kScratchOwner, *pool_.roomiest()));
  return blocks;
}

std::optional<BlockId> RegionGather::place_next(SequenceId sequence) {
  if (pool_.free_blocks() == 0) return std::nullopt;
  auto& own = own_[sequence];
  RegionIndex region = *pool_.roomiest();
  if (!own.blocks.empty()) {
    const auto last = pool_.region_of(own.blocks.back());
    if (pool_.room(last) > 0) region = last;
  }
  const auto block = take(sequence, region);
  recount(sequence);
  return block;
}

BlockId RegionGather::take(SequenceId sequence, RegionIndex region) {
  const auto block = pool_.take(region);
  if (sequence == kScratchOwner) return block;
  auto& own = own_[sequence];
  owner_[static_cast<std::size_t>(block)] = {sequence,
                                             static_cast<std::int32_t>(own.blocks.size())};
  own.blocks.push_back(block);
  return block;
}

void RegionGather::take_back(BlockId block) {
  pool_.give(block);
  owner_[static_cast<std::size_t>(block)] = {};
}

void RegionGather::forget(SequenceId sequence) {
  const auto found = own_.find(sequence);
  if (found == own_.end()) return;
  unlist(sequence, found->second);
  for (const auto block : found->second.blocks) {
    auto& owner = owner_[static_cast<std::size_t>(block)];
    if (owner.sequence == sequence) owner = {};
  }
  own_.erase(found);
}

std::int32_t RegionGather::excess(const Own& own) const {
  const auto whole = pool_.blocks_per_region();
  return own.runs - (static_cast<std::int32_t>(own.blocks.size()) + whole - 1) / whole;
}

void RegionGather::list(SequenceId sequence, const Own& own) {
  if (excess(own) > 0) scattered_.insert({-excess(own), sequence});
}
void RegionGather::unlist(SequenceId sequence, const Own& own) {
  scattered_.erase({-excess(own), sequence});
}

void RegionGather::recount(SequenceId sequence) {
  auto& own = own_[sequence];
  scattered_.erase({-excess(own), sequence});
  for (auto it = scattered_.begin(); it != scattered_.end(); ++it) {
    if (it->second == sequence) {
      scattered_.erase(it);
      break;
    }
  }
  own.runs = static_cast<std::int32_t>(runs_of(sequence).size());
  list(sequence, own);
}

std::vector<RegionGather::Run> RegionGather::runs_of(SequenceId sequence) const {
  std::vector<Run> runs;
  const auto& blocks = own_.at(sequence).blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto region = pool_.region_of(blocks[i]);
    if (runs.empty() || runs.back().region != region)
      runs.push_back({sequence, static_cast<std::int32_t>(i), 0, region});
    ++runs.back().length;
  }
  return runs;
}

std::vector<RegionGather::Run> RegionGather::others_in(RegionIndex region,
                                                       SequenceId sequence) const {
  std::vector<Owner> owners;
  for (BlockId b = region * pool_.blocks_per_region(); b < (region + 1) * pool_.blocks_per_region();
       ++b) {
    const auto& owner = owner_[static_cast<std::size_t>(b)];
    if (owner.sequence >= 0 && owner.sequence != sequence) owners.push_back(owner);
  }
  std::sort(owners.begin(), owners.end(), [](const Owner& a, const Owner& b) {
    return std::pair(a.sequence, a.index) < std::pair(b.sequence, b.index);
  });
  std::vector<Run> runs;
  for (const auto& o : owners) {
    if (runs.empty() || runs.back().sequence != o.sequence ||
        runs.back().first + runs.back().length != o.index) {
      runs.push_back({o.sequence, o.index, 0, region});
    }
    ++runs.back().length;
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Run& a, const Run& b) { return a.length < b.length; });
  return runs;
}

bool RegionGather::movable(const Run& run) const {
  const auto& blocks = own_.at(run.sequence).blocks;
  for (auto i = run.first; i < run.first + run.length; ++i) {
    const auto block = blocks[static_cast<std::size_t>(i)];
    if (refs(block) != 1 || owner_[static_cast<std::size_t>(block)].sequence != run.sequence)
      return false;
  }
  return true;
}

// `goes` joins the region of `stays`, whose other runs make room where they must.
void RegionGather::consider(const Run& stays, const Run& goes, std::optional<Merge>& best) {
  const auto limit = best ? best->copies - 1 : limits_.most_copies_per_run;
  if (goes.length > limit || !movable(goes)) return;
  Merge merge;
  merge.copies = goes.length;
  auto room = pool_.room(stays.region);
  if (room < goes.length) {
    std::map<RegionIndex, std::int32_t> used;
    for (const auto& other : others_in(stays.region, stays.sequence)) {
      if (room >= goes.length) break;
      if (merge.copies + other.length > limit) return;
      if (!movable(other)) continue;
      if (limits_.tries & 4 && static_cast<std::size_t>(other.first + other.length) == own_.at(other.sequence).blocks.size() && other.length + 1 > 4) continue;
      // a hole for it
      std::optional<RegionIndex> to;
      const auto fits = [&](RegionIndex r) {
        return r != stays.region && pool_.room(r) - used[r] >= other.length;
      };
      const auto& blocks = own_.at(other.sequence).blocks;
      if (other.first > 0) {
        const auto r = pool_.region_of(blocks[static_cast<std::size_t>(other.first) - 1]);
        if (fits(r)) to = r;
      }
      const auto after = static_cast<std::size_t>(other.first + other.length);
      if (!to && after < blocks.size() && fits(pool_.region_of(blocks[after])))
        to = pool_.region_of(blocks[after]);
      if (!to) {
        auto r = pool_.tightest(other.length);
        if (r && limits_.tries & 2 && after == blocks.size()) r = pool_.roomiest();
        if (r && fits(*r)) to = r;
      }
      if (!to) continue;
      used[*to] += other.length;
      merge.copies += other.length;
      merge.steps.push_back({other, *to});
      room += other.length;
    }
    if (room < goes.length) return;
  }
  merge.steps.push_back({goes, stays.region});
  best = merge;
}

std::optional<RegionGather::Merge> RegionGather::best_merge(SequenceId sequence) {
  std::optional<Merge> best;
  const auto runs = runs_of(sequence);
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
    const auto& a = runs[i];
    const auto& b = runs[i + 1];
    if (a.length + b.length > pool_.blocks_per_region()) continue;
    consider(a, b, best);
    consider(b, a, best);
    const auto limit = best ? best->copies - 1 : limits_.most_copies_per_run;
    if (a.length + b.length <= limit && movable(a) && movable(b)) {
      auto to = pool_.tightest(a.length + b.length);
      if (to && limits_.tries & 1 && i + 2 == runs.size()) to = pool_.roomiest();
      if (to && *to != a.region && *to != b.region)
        best = Merge{a.length + b.length, {{a, *to}, {b, *to}}};
    }
  }
  return best;
}

std::optional<RegionGather::Merge> RegionGather::whole_sequence(SequenceId sequence) {
  const auto& own = own_.at(sequence);
  const auto n = static_cast<std::int32_t>(own.blocks.size());
  const auto whole = pool_.blocks_per_region();
  if (excess(own) <= 0 || n > limits_.most_copies_per_run * excess(own)) return std::nullopt;
  if (pool_.empty_regions() < (n + whole - 1) / whole) return std::nullopt;
  if (!movable({sequence, 0, n, 0})) return std::nullopt;
  Merge merge;
  merge.copies = n;
  for (std::int32_t i = 0; i < n; i += whole) {
    merge.steps.push_back({{sequence, i, std::min(whole, n - i), 0}, -1});
  }
  return merge;
}

std::optional<SequenceId> RegionGather::victim(SequenceId grower) const {
  if (limits_.victim == GatherLimits::Victim::kLatest) return std::nullopt;
  std::optional<SequenceId> best;
  std::pair<std::int32_t, std::int32_t> most{-1, 0};
  std::set<RegionIndex> mine;
  for (const auto b : own_.at(grower).blocks) mine.insert(pool_.region_of(b));
  for (const auto& [sequence, own] : own_) {
    if (sequence == grower || own.blocks.empty()) continue;
    std::map<RegionIndex, std::int32_t> in;
    for (const auto b : own.blocks) ++in[pool_.region_of(b)];
    std::int32_t frees = 0;
    std::int32_t shares = 0;
    for (const auto& [r, n] : in) {
      frees += n + pool_.room(r) == pool_.blocks_per_region();
      shares += static_cast<std::int32_t>(mine.count(r));
    }
    const auto key = limits_.victim == GatherLimits::Victim::kShares ? std::pair(shares, frees)
                                                                     : std::pair(frees, shares);
    if (key >= most) most = key, best = sequence;
  }
  return best;
}

void RegionGather::carry_out(const Eviction& e, std::vector<BlockMove>& moves) {
  auto& own = own_.at(e.run.sequence);
  const auto region = e.to < 0 ? *pool_.roomiest() : e.to;
  for (auto i = e.run.first; i < e.run.first + e.run.length; ++i) {
    auto& block = own.blocks[static_cast<std::size_t>(i)];
    const auto to = pool_.take(region);
    moves.push_back({e.run.sequence, block, to});
    owner_[static_cast<std::size_t>(block)] = {};
    pool_.give(block);
    block = to;
    owner_[static_cast<std::size_t>(to)] = {e.run.sequence, i};
  }
  recount(e.run.sequence);
}

std::vector<BlockMove> RegionGather::plan_moves() {
  std::vector<BlockMove> moves;
  auto left = limits_.most_copies;
  auto tries = limits_.tries;
  std::vector<SequenceId> order;
  for (const auto& [negative, sequence] : scattered_) order.push_back(sequence);
  for (const auto sequence : order) {
    while (tries-- > 0) {
      const auto merge = limits_.unit == GatherLimits::Unit::kRun ? best_merge(sequence)
                                                                  : whole_sequence(sequence);
      if (!merge || merge->copies > left) break;
      for (const auto& step : merge->steps) carry_out(step, moves);
      left -= merge->copies;
    }
  }
  return moves;
}

}  // namespace lockstep
