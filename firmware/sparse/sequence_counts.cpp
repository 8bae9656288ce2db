// Sizes of the lists of a step: what is selected, missed, sent and merged.
#include <algorithm>

#include "firmware/sparse/sequence_cache.h"

namespace lockstep {

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

ListCounts SequenceCache::counts(const LayerStep& at) const {
  ListCounts counts;
  counts.layers = 1;
  const bool guesses = config_.guesses(*schedule_);
  for (int request = 0; request < config_.batch; ++request) {
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
  // Keys of M and values of A are two lists; union needs no more than M.
  const bool of_missed =
      guessed_before && (repairs_by(RepairMode::kUnion) || repairs_by(RepairMode::kExactLatemask));
  const bool of_selected = !guessed_before || !repairs_by(RepairMode::kUnion);
  std::int64_t entries = 0;
  for (const int request : requests) {
    for (int head = 0; head < config_.lists_of_a_layer(); ++head) {
      const auto& chosen = selected(at, request, head);
      if (of_selected) entries += static_cast<std::int64_t>(chosen.size());
      if (of_missed)
        entries += static_cast<std::int64_t>(chosen.size() -
                                             count_common(chosen, guessed(at, request, head)));
    }
  }
  return entries;
}

std::int64_t SequenceCache::merged_partials(const LayerStep& at,
                                            const RequestList& requests) const {
  if (repairs_by(RepairMode::kUnion) && needs_more(at, requests))
    return 2 * static_cast<std::int64_t>(heads_ * requests.size());
  std::int64_t partials = 0;
  if (!repairs_by(RepairMode::kExactPartials)) return partials;
  for (const int request : requests) {
    for (int head = 0; head < config_.shape.kv_heads; ++head) {
      const auto& chosen = selected(at, request, head);
      const auto common = count_common(chosen, guessed(at, request, head));
      // That of the forced blocks, one a block of P n A, and that of M.
      partials += 1 + static_cast<std::int64_t>(common) + (common < chosen.size() ? 1 : 0);
    }
  }
  return partials;
}

std::int64_t SequenceCache::scores(const LayerStep& at, const RequestList& requests) const {
  const auto window = selection_window(config_.selector, config_.selector.dense_layers, at.tokens);
  return static_cast<std::int64_t>(requests.size()) * config_.shape.kv_heads *
         (window.end - window.begin);
}

}  // namespace lockstep
