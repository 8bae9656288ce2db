// Sparse attention of one query head over lists of blocks, as a functional reference: what each
// repair mode computes, and how many blocks it reads for it. No time in here.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "firmware/dsa/block_list.h"

namespace lockstep {

enum class RepairMode { kUnion, kExactPartials, kExactLatemask, kRecompute };

struct RepairModeInfo {
  std::string_view name;
  RepairMode mode;
  std::string_view output;  // over which blocks the softmax runs, beside the forced ones
};

constexpr std::array<RepairModeInfo, 4> kRepairModes = {{
    {"union", RepairMode::kUnion, "P u A"},
    {"exact-partials", RepairMode::kExactPartials, "A"},
    {"exact-latemask", RepairMode::kExactLatemask, "A"},
    {"recompute", RepairMode::kRecompute, "A"},
}};

constexpr bool repair_rows_match_enumerators() {
  for (std::size_t i = 0; i < kRepairModes.size(); ++i) {
    if (kRepairModes[i].mode != static_cast<RepairMode>(i)) return false;
  }
  return true;
}
static_assert(repair_rows_match_enumerators(), "kRepairModes lists every mode, in order");

// Keys and values of one KV head, [token][head_dim], and one query of its group.
struct HeadView {
  const float* query = nullptr;
  const float* keys = nullptr;
  const float* values = nullptr;
  std::int64_t tokens = 0;
  std::int64_t block_tokens = 0;
  std::size_t head_dim = 0;
};

// Which blocks each pass covers. `forced` are attended whatever is selected, and hold the open
// block; no forced block may stand in another list (InternalError).
struct AttentionLists {
  BlockList forced;
  BlockList predicted;  // P
  BlockList selected;   // A
};

struct SparseOutput {
  std::vector<float> output;                // head_dim
  std::int64_t speculative_key_blocks = 0;  // read before A is known
  std::int64_t speculative_value_blocks = 0;
  std::int64_t repair_key_blocks = 0;  // read after A is known
  std::int64_t repair_value_blocks = 0;
  std::int64_t merges = 0;
  double wasted_mass = 0;  // share of the softmax that P \ A holds; 0 when the output is over A
};

// Scores are q.k / sqrt(head_dim) in fp32. The last block ends at `tokens`: what lies behind in the
// block is not read. Throws InternalError when a list is not sorted or leaves the context.
SparseOutput sparse_attention(RepairMode mode, const HeadView& head, const AttentionLists& lists);

// The serial result: one pass over `blocks`.
std::vector<float> serial_attention(const HeadView& head, const BlockList& blocks);

}  // namespace lockstep
