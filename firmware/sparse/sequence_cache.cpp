#include "firmware/sparse/sequence_cache.h"

#include <algorithm>
#include <numeric>

#include "firmware/sparse/summary_accesses.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

enum Set : std::size_t { kGuessSet, kAttentionSet, kRepairSet, kSets };

BlockList range(BlockIndex begin, BlockIndex end) {
  BlockList blocks(static_cast<std::size_t>(std::max(0, end - begin)));
  std::iota(blocks.begin(), blocks.end(), begin);
  return blocks;
}

RequestList all_of(int batch) {
  RequestList requests(static_cast<std::size_t>(batch));
  std::iota(requests.begin(), requests.end(), 0);
  return requests;
}

PassPlan pass_plan(const SparseConfig& config, const KvTensorMap& map) {
  return {map, split_queries(config.group, map.parts() * map.beats(), config.unit)};
}

}  // namespace

ListCounts& ListCounts::operator+=(const ListCounts& other) {
  lists += other.lists;
  selected += other.selected;
  guessed += other.guessed;
  missed += other.missed;
  wasted += other.wasted;
  layers += other.layers;
  layers_with_a_miss += other.layers_with_a_miss;
  most_missed += other.most_missed;
  return *this;
}

SequenceCache::SequenceCache(const SparseConfig& config, const CachePlan& plan,
                             const SparseLists& lists, std::optional<Schedule> schedule)
    : config_(config),
      cache_plan_(plan),
      lists_(lists),
      schedule_(schedule),
      heads_(static_cast<std::size_t>(config.shape.kv_heads)),
      plan_(pass_plan(config, plan.map())),
      summary_plan_(pass_plan(config, plan.summary_map())),
      kernels_(plan_, plan.pools(), config.pipeline),
      summary_kernels_(summary_plan_, plan.summary_pools(), config.pipeline),
      whole_(static_cast<std::size_t>(config.batch), SequencePasses(plan_)),
      summaries_(static_cast<std::size_t>(config.batch), SequencePasses(summary_plan_)),
      scratch_(kSets) {
  const auto layers = simulated_layers(config).size();
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (int request = 0; request < config.batch; ++request) {
      for (std::size_t head = 0; head < heads_; ++head)
        hot_.emplace_back(plan.places(request), plan.first_slot(request), plan.slots());
    }
  }
}

SequencePasses& SequenceCache::scratch(std::size_t set, std::size_t index) {
  auto& pool = scratch_[set];
  while (pool.size() <= index) pool.push_back(std::make_unique<SequencePasses>(plan_));
  return *pool[index];
}

BlockList SequenceCache::forced(const LayerStep& at) const {
  const auto window = selection_window(config_.selector, config_.selector.dense_layers, at.tokens);
  ensure(!window.dense, "a context of a sparse run has more blocks than its budget");
  return all_blocks(range(0, window.begin), range(window.end, window.blocks));
}

const BlockList& SequenceCache::selected(const LayerStep& at, int request, int head) const {
  return lists_.of(request, at.layer, head).selection(at.step);
}

const BlockList& SequenceCache::guessed(const LayerStep& at, int request, int head) const {
  const auto& lists = lists_.of(request, at.layer, head);
  switch (*schedule_) {
    case Schedule::kReuseRecompute:
    case Schedule::kReuseRepair:
      return lists.last_selection(at.step);
    case Schedule::kPredictRepair:
      return lists.prediction(at.step);
    case Schedule::kSerial:
    case Schedule::kOracle:
      break;
  }
  return lists.selection(at.step);
}

// K and V of a head; the open block counts as far as it is filled.
std::int64_t SequenceCache::bytes_of(const LayerStep& at, std::int64_t blocks,
                                     bool with_forced) const {
  std::int64_t tokens = blocks * config_.shape.block_tokens;
  if (with_forced)
    tokens -= (config_.shape.block_tokens - at.tokens % config_.shape.block_tokens) %
              config_.shape.block_tokens;
  return 2 * tokens * config_.shape.head_bytes();
}

HeadPassLists SequenceCache::passes(std::size_t set, const LayerStep& at,
                                    const RequestList& requests,
                                    const std::function<BlockList(int request, int head)>& list_of,
                                    bool with_forced, std::int64_t& kv_bytes) {
  const BlockList always = with_forced ? forced(at) : BlockList{};
  const std::int64_t block_tokens = config_.shape.block_tokens;
  const std::int64_t in_last = with_forced ? (at.tokens - 1) % block_tokens + 1 : block_tokens;
  HeadPassLists result(heads_);
  std::size_t used = 0;
  std::vector<BlockId> places;
  for (std::size_t h = 0; h < heads_; ++h) {
    const auto head = static_cast<int>(h);
    for (const int request : requests) {
      const auto& where = hot_[index(at.layer, request, head)];
      const BlockList blocks = all_blocks(list_of(request, head), always);
      places.clear();
      for (const BlockIndex block : blocks) places.push_back(where.place(block));
      auto& sequence = scratch(set, used++);
      if (places.empty()) {
        sequence = SequencePasses(plan_);
      } else {
        sequence.assign(places, in_last);
      }
      kv_bytes += bytes_of(at, static_cast<std::int64_t>(blocks.size()), with_forced);
      result[h].push_back(&sequence);
    }
  }
  return result;
}

SequenceCache::Work SequenceCache::dense(const LayerStep& at) {
  Work work;
  SequenceList list;
  for (int request = 0; request < config_.batch; ++request) {
    auto& sequence = whole_[static_cast<std::size_t>(request)];
    sequence.resync(cache_plan_.places(request), at.tokens, 1);
    list.push_back(&sequence);
    work.kv_bytes += 2 * at.tokens * config_.shape.token_bytes();
  }
  work.kernels = kernels_.dense(static_cast<int>(at.layer), list);
  return work;
}

SequenceCache::Work SequenceCache::selection(const LayerStep& at, const RequestList& requests) {
  SequenceList list;
  const auto count = config_.summaries_of(at.tokens - 1);
  const std::int64_t per_block = config_.shape.block_tokens;
  for (const int request : requests) {
    std::vector<BlockId> blocks(static_cast<std::size_t>((count + per_block - 1) / per_block));
    std::iota(blocks.begin(), blocks.end(), cache_plan_.first_summary_block(request));
    auto& sequence = summaries_[static_cast<std::size_t>(request)];
    sequence.resync(blocks, count, 1);
    list.push_back(&sequence);
  }
  // Quest multiplies with the mean query of the group, InfLLM-v2 with each.
  const std::vector<QueryGroup> queries =
      config_.quest() ? std::vector<QueryGroup>{{0, 1, 1}} : summary_plan_.queries;
  return {summary_kernels_.summaries(static_cast<int>(at.layer), list, queries,
                                     config_.tensors_of_summaries()),
          summary_bytes(at, requests)};
}

SequenceCache::Work SequenceCache::guess(const LayerStep& at, const RequestList& requests) {
  if (repairs_by(RepairMode::kExactPartials)) return partials(at, requests);
  Work work;
  const auto lists = passes(
      kGuessSet, at, requests, [&](int request, int head) { return guessed(at, request, head); },
      true, work.kv_bytes);
  const auto layer = static_cast<int>(at.layer);
  if (repairs_by(RepairMode::kExactLatemask)) {
    work.kernels = kernels_.scores(layer, lists);
    work.kv_bytes /= 2;
  } else {
    work.kernels = kernels_.attention(layer, lists);
  }
  return work;
}

// A pass, and so a partial result, for each block; the forced ones share one.
SequenceCache::Work SequenceCache::partials(const LayerStep& at, const RequestList& requests) {
  Work work;
  HeadPassLists lists = passes(
      kGuessSet, at, requests, [](int, int) { return BlockList{}; }, true, work.kv_bytes);
  std::size_t used = lists.size() * requests.size();
  for (std::size_t h = 0; h < heads_; ++h) {
    const auto head = static_cast<int>(h);
    for (const int request : requests) {
      for (const BlockIndex block : guessed(at, request, head)) {
        auto& sequence = scratch(kGuessSet, used++);
        sequence.assign(std::vector<BlockId>{hot_[index(at.layer, request, head)].place(block)},
                        config_.shape.block_tokens);
        lists[h].push_back(&sequence);
        work.kv_bytes += bytes_of(at, 1, false);
      }
    }
  }
  work.kernels = kernels_.attention(static_cast<int>(at.layer), lists);
  return work;
}

SequenceCache::Work SequenceCache::attention(const LayerStep& at, const RequestList& requests) {
  Work work;
  const auto lists = passes(
      kAttentionSet, at, requests,
      [&](int request, int head) { return selected(at, request, head); }, true, work.kv_bytes);
  work.kernels = kernels_.attention(static_cast<int>(at.layer), lists);
  return work;
}

SequenceCache::Work SequenceCache::repair(const LayerStep& at, const RequestList& requests) {
  const auto missed = [&](int request, int head) {
    return blocks_without(selected(at, request, head), guessed(at, request, head));
  };
  const auto layer = static_cast<int>(at.layer);
  Work work;
  if (config_.repair == RepairMode::kExactLatemask) {
    std::int64_t keys = 0;
    const auto scores = passes(kRepairSet, at, requests, missed, false, keys);
    const auto lists = passes(
        kAttentionSet, at, requests,
        [&](int request, int head) { return selected(at, request, head); }, true, work.kv_bytes);
    work.kv_bytes = (work.kv_bytes + keys) / 2;
    work.kernels = kernels_.rest(layer, scores, lists);
    return work;
  }
  if (!needs_more(at, requests)) return work;
  if (config_.repair == RepairMode::kRecompute) return attention(at, requests);
  work.kernels =
      kernels_.attention(layer, passes(kRepairSet, at, requests, missed, false, work.kv_bytes));
  return work;
}

bool SequenceCache::needs_more(const LayerStep& at, const RequestList& requests) const {
  if (repairs_by(RepairMode::kExactLatemask)) return true;
  // What was wasted cannot be taken out of a pass, only of a pass of its own.
  const bool waste_counts = repairs_by(RepairMode::kRecompute);
  for (const int request : requests) {
    for (std::size_t h = 0; h < heads_; ++h) {
      const auto head = static_cast<int>(h);
      const auto& chosen = selected(at, request, head);
      const auto& guess = guessed(at, request, head);
      const auto common = count_common(chosen, guess);
      if (common < chosen.size() || (waste_counts && common < guess.size())) return true;
    }
  }
  return false;
}

std::int64_t SequenceCache::summary_bytes(const LayerStep& at, const RequestList& requests) const {
  return static_cast<std::int64_t>(requests.size()) * config_.tensors_of_summaries() *
         config_.summaries_of(at.tokens - 1) * config_.shape.token_bytes();
}

std::vector<HostAccess> SequenceCache::summary_reads(const LayerStep& at,
                                                     const RequestList& requests) const {
  std::vector<HostAccess> reads;
  for (const int request : requests)
    append_summary_reads(config_, cache_plan_, static_cast<int>(at.layer), request, at.tokens - 1,
                         reads);
  return reads;
}

std::vector<HostAccess> SequenceCache::writes(const LayerStep& at) const {
  const auto layer = static_cast<int>(at.layer);
  const bool with_summaries = schedule_ && config_.summaries == SummaryHome::kSame;
  std::vector<HostAccess> writes;
  for (const int request : all_of(config_.batch)) {
    cache_plan_.pools().append_writes(layer, cache_plan_.places(request), at.tokens - 1, at.tokens,
                                      writes);
    if (with_summaries)
      append_summary_writes(config_, cache_plan_, layer, request, at.tokens, writes);
  }
  return writes;
}

std::vector<HostAccess> SequenceCache::summary_writes(const LayerStep& at) const {
  std::vector<HostAccess> writes;
  if (!schedule_ || !config_.summaries_apart()) return writes;
  for (const int request : all_of(config_.batch))
    append_summary_writes(config_, cache_plan_, static_cast<int>(at.layer), request, at.tokens,
                          writes);
  return writes;
}

// All reads of a block go before its writes: the processor moves it.
void SequenceCache::append_copy(std::size_t layer, int head, BlockId from, BlockId to,
                                std::vector<HostAccess>& accesses) const {
  const auto& shape = config_.shape;
  const auto offset = static_cast<std::uint64_t>(head * shape.head_bytes());
  const auto& pools = cache_plan_.pools();
  for (const auto kind : {AccessKind::kRead, AccessKind::kWrite}) {
    const BlockId block = kind == AccessKind::kRead ? from : to;
    for (const auto tensor : {KvTensor::kKey, KvTensor::kValue}) {
      for (int token = 0; token < shape.block_tokens; ++token) {
        const auto address = pools.address(static_cast<int>(layer), tensor, block, token);
        accesses.push_back({kind, address + offset, shape.head_bytes(), nullptr});
      }
    }
  }
}

void SequenceCache::apply(std::size_t layer, int request, int head,
                          const std::vector<HotCopy>& copies, std::vector<HostAccess>& accesses) {
  auto& where = hot_[index(layer, request, head)];
  for (const auto& copy : copies) {
    append_copy(layer, head, where.home(copy.block), where.slot_place(copy.slot), accesses);
    where.apply(copy);
  }
}

std::vector<HostAccess> SequenceCache::first_copies(std::size_t layer) {
  std::vector<HostAccess> accesses;
  for (const int request : all_of(config_.batch)) {
    for (int head = 0; head < config_.shape.kv_heads; ++head)
      apply(layer, request, head, lists_.of(request, layer, head).first_copies, accesses);
  }
  return accesses;
}

std::vector<HostAccess> SequenceCache::copies(const LayerStep& at) {
  std::vector<HostAccess> accesses;
  for (const int request : all_of(config_.batch)) {
    for (int head = 0; head < config_.shape.kv_heads; ++head) {
      const auto& lists = lists_.of(request, at.layer, head);
      if (lists.copies.empty()) continue;
      apply(at.layer, request, head, lists.copies[static_cast<std::size_t>(at.step)], accesses);
    }
  }
  return accesses;
}

ListCounts SequenceCache::counts(const LayerStep& at) const {
  ListCounts counts;
  counts.layers = 1;
  const bool guesses = kSchedules[static_cast<std::size_t>(*schedule_)].speculates &&
                       config_.overlap != OverlapPolicy::kNone &&
                       config_.overlap != OverlapPolicy::kInterRequest;
  for (const int request : all_of(config_.batch)) {
    for (std::size_t h = 0; h < heads_; ++h) {
      const auto head = static_cast<int>(h);
      const auto& chosen = selected(at, request, head);
      ++counts.lists;
      counts.selected += static_cast<std::int64_t>(chosen.size());
      if (!guesses) continue;
      const auto& guess = guessed(at, request, head);
      const auto common = static_cast<std::int64_t>(count_common(chosen, guess));
      const auto missed = static_cast<std::int64_t>(chosen.size()) - common;
      counts.guessed += static_cast<std::int64_t>(guess.size());
      counts.missed += missed;
      counts.wasted += static_cast<std::int64_t>(guess.size()) - common;
      counts.most_missed = std::max(counts.most_missed, missed);
    }
  }
  counts.layers_with_a_miss = counts.most_missed > 0 ? 1 : 0;
  return counts;
}

std::int64_t SequenceCache::list_entries(const LayerStep& at, const RequestList& requests,
                                         bool guessed_before) const {
  std::int64_t entries = 0;
  // Heads that share a list are sent it once.
  const int lists =
      config_.selector.granularity == Granularity::kLayer ? 1 : config_.shape.kv_heads;
  for (const int request : requests) {
    for (int head = 0; head < lists; ++head) {
      const auto& chosen = selected(at, request, head);
      const auto known =
          guessed_before ? count_common(chosen, guessed(at, request, head)) : std::size_t{0};
      entries += static_cast<std::int64_t>(chosen.size() - known);
    }
  }
  return entries;
}

std::int64_t SequenceCache::scores(const LayerStep& at, const RequestList& requests) const {
  const auto window = selection_window(config_.selector, config_.selector.dense_layers, at.tokens);
  return static_cast<std::int64_t>(requests.size()) * config_.shape.kv_heads *
         (window.end - window.begin);
}

}  // namespace lockstep
