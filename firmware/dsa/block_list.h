// The words of sparse attention: logical blocks of one sequence, lists of them, and set operations.
// A list is sorted by block and names each block once.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/contract/span.h"

namespace lockstep {

using BlockIndex = std::int32_t;  // b-th block of the sequence: tokens [b x block_tokens, ...)
using BlockList = std::vector<BlockIndex>;

// What is in both lists, and what is in `a` but not in `b`. Results are sorted.
BlockList common_blocks(const BlockList& a, const BlockList& b);
BlockList blocks_without(const BlockList& a, const BlockList& b);
BlockList all_blocks(const BlockList& a, const BlockList& b);
std::size_t count_common(const BlockList& a, const BlockList& b);
bool is_block_list(const BlockList& list);  // sorted, unique, no negative block

// The `count` blocks of highest score: score descending, then block ascending. NaN marks a block
// that cannot be chosen (not complete, or forced). Fewer than `count` when fewer can be chosen.
BlockList top_blocks(Span<double> scores, std::int64_t count);
BlockList top_blocks(Span<float> scores, std::int64_t count);

// All blocks that can be chosen, best first in the same order.
BlockList ranked_blocks(Span<double> scores);

std::int64_t choosable_blocks(Span<double> scores);

// floor(delta x top_k), Eq. 1. A decimal delta is meant: 0.29 x 100 gives 29, though the binary
// product lies just below.
std::int64_t budget_blocks(double delta, std::int64_t top_k);

}  // namespace lockstep
