#include "firmware/dsa/sparse_attention.h"

#include <algorithm>
#include <cmath>

#include "firmware/dsa/partial.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

std::int64_t size_of(const BlockList& blocks) {
  return static_cast<std::int64_t>(blocks.size());
}

// The tokens of a block list with their scores: K is read here, V only when they are attended.
struct ScoredTokens {
  std::vector<float> scores;
  std::vector<const float*> values;
};

void score_block(const HeadView& head, BlockIndex block, ScoredTokens& into) {
  const float scale = 1.0F / std::sqrt(static_cast<float>(head.head_dim));
  const std::int64_t begin = block * head.block_tokens;
  const std::int64_t end = std::min(begin + head.block_tokens, head.tokens);
  for (std::int64_t token = begin; token < end; ++token) {
    const auto offset = static_cast<std::size_t>(token) * head.head_dim;
    float dot = 0;
    for (std::size_t d = 0; d < head.head_dim; ++d) dot += head.query[d] * head.keys[offset + d];
    into.scores.push_back(dot * scale);
    into.values.push_back(head.values + offset);
  }
}

Partial pass_over(const HeadView& head, const BlockList& blocks) {
  ScoredTokens tokens;
  for (const BlockIndex block : blocks) score_block(head, block, tokens);
  return attend(tokens.scores, tokens.values, head.head_dim);
}

void check(const HeadView& head, const AttentionLists& lists) {
  const std::int64_t blocks = (head.tokens + head.block_tokens - 1) / head.block_tokens;
  for (const BlockList* list : {&lists.forced, &lists.predicted, &lists.selected}) {
    ensure(is_block_list(*list), "a block list is not sorted, or names a block twice");
    ensure(list->empty() || list->back() < blocks, "a block list leaves the context");
  }
  ensure(count_common(lists.forced, lists.predicted) == 0 &&
             count_common(lists.forced, lists.selected) == 0,
         "a forced block would be attended twice");
}

// P, forced and open blocks in the first pass, M in the second; what P holds beyond A stays.
SparseOutput attend_union(const HeadView& head, const AttentionLists& lists) {
  const BlockList missed = blocks_without(lists.selected, lists.predicted);
  const Partial first = pass_over(head, all_blocks(lists.predicted, lists.forced));
  const Partial whole = merge(first, pass_over(head, missed));
  const Partial wasted = pass_over(head, blocks_without(lists.predicted, lists.selected));
  SparseOutput result;
  result.output = output_of(whole);
  result.speculative_key_blocks = size_of(lists.predicted) + size_of(lists.forced);
  result.speculative_value_blocks = result.speculative_key_blocks;
  result.repair_key_blocks = size_of(missed);
  result.repair_value_blocks = size_of(missed);
  result.merges = missed.empty() ? 0 : 1;
  if (!wasted.empty()) result.wasted_mass = wasted.l * std::exp(wasted.m - whole.m) / whole.l;
  return result;
}

// One partial per block of P, so that those outside A can be left out of the merge.
SparseOutput attend_partials(const HeadView& head, const AttentionLists& lists) {
  const BlockList missed = blocks_without(lists.selected, lists.predicted);
  Partial whole = pass_over(head, lists.forced);
  SparseOutput result;
  for (const BlockIndex block : lists.predicted) {
    const Partial one = pass_over(head, {block});
    if (!std::binary_search(lists.selected.begin(), lists.selected.end(), block)) continue;
    whole = merge(whole, one);
    ++result.merges;
  }
  whole = merge(whole, pass_over(head, missed));
  result.merges += missed.empty() ? 0 : 1;
  result.output = output_of(whole);
  result.speculative_key_blocks = size_of(lists.predicted) + size_of(lists.forced);
  result.speculative_value_blocks = result.speculative_key_blocks;
  result.repair_key_blocks = size_of(missed);
  result.repair_value_blocks = size_of(missed);
  return result;
}

// Only q.K is speculated and its scores are kept; once A is known one softmax runs over A, and V is
// read for A alone.
SparseOutput attend_latemask(const HeadView& head, const AttentionLists& lists) {
  const BlockList first = all_blocks(lists.predicted, lists.forced);
  const BlockList attended = all_blocks(lists.selected, lists.forced);
  const BlockList missed = blocks_without(lists.selected, lists.predicted);
  ScoredTokens kept;
  for (const BlockIndex block : first) {
    if (!std::binary_search(attended.begin(), attended.end(), block)) continue;
    score_block(head, block, kept);
  }
  for (const BlockIndex block : missed) score_block(head, block, kept);
  SparseOutput result;
  result.output = output_of(attend(kept.scores, kept.values, head.head_dim));
  result.speculative_key_blocks = size_of(first);
  result.repair_key_blocks = size_of(missed);
  result.repair_value_blocks = size_of(attended);
  return result;
}

// Speculation counts only when it missed nothing and added nothing; else attention runs again.
SparseOutput attend_recompute(const HeadView& head, const AttentionLists& lists) {
  const BlockList attended = all_blocks(lists.selected, lists.forced);
  SparseOutput result;
  result.output = serial_attention(head, attended);
  result.speculative_key_blocks = size_of(lists.predicted) + size_of(lists.forced);
  result.speculative_value_blocks = result.speculative_key_blocks;
  if (lists.predicted != lists.selected) {
    result.repair_key_blocks = size_of(attended);
    result.repair_value_blocks = size_of(attended);
  }
  return result;
}

}  // namespace

SparseOutput sparse_attention(RepairMode mode, const HeadView& head, const AttentionLists& lists) {
  check(head, lists);
  switch (mode) {
    case RepairMode::kUnion:
      return attend_union(head, lists);
    case RepairMode::kExactPartials:
      return attend_partials(head, lists);
    case RepairMode::kExactLatemask:
      return attend_latemask(head, lists);
    case RepairMode::kRecompute:
      return attend_recompute(head, lists);
  }
  throw InternalError("a repair mode without a meaning");
}

std::vector<float> serial_attention(const HeadView& head, const BlockList& blocks) {
  return output_of(pass_over(head, blocks));
}

}  // namespace lockstep
