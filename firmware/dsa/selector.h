// Turns block scores into what a step attends to: the forced blocks and, per KV head or per layer,
// the top-K of the others (docs/dsa.md). Scores come from a BlockScorer or from a trace.
#pragma once

#include <array>
#include <string_view>

#include "firmware/dsa/block_list.h"
#include "firmware/dsa/block_scorer.h"

namespace lockstep {

enum class Granularity { kKvHead, kLayer };  // kLayer: one list from the sum of the heads' scores
constexpr std::array<std::string_view, 2> kGranularities = {"kv_head", "layer"};

struct SelectorConfig {
  std::string_view scorer;  // of make_block_scorer, or `trace`
  int block_tokens = 0;
  std::int64_t budget_tokens = 0;  // with the forced blocks
  int init_blocks = 0;             // first blocks, always attended
  int local_blocks = 0;            // last blocks, always attended; the current one included
  int dense_layers = 0;            // so many first layers attend to everything
  std::int64_t dense_tokens = 0;   // shorter contexts attend to everything
  Granularity granularity = Granularity::kKvHead;
};

// The released defaults of both systems, with a budget of 2048 tokens for Quest.
constexpr std::array<SelectorConfig, 2> kSelectorDefaults = {{
    {"quest", 16, 2048, 0, 1, 2, 0, Granularity::kKvHead},
    {"infllm2", 64, 6144, 1, 33, 0, 8192, Granularity::kKvHead},
}};

// Throws InputError that names the first field out of range.
void check_selector(const SelectorConfig& config);

// What may be chosen at a step over `tokens` tokens, the newest included.
struct SelectionWindow {
  bool dense = false;    // attend to everything, score nothing
  BlockIndex begin = 0;  // blocks [begin, end) compete
  BlockIndex end = 0;
  BlockIndex blocks = 0;   // of the context; the last may be open
  std::int64_t top_k = 0;  // how many of them are chosen
};

SelectionWindow selection_window(const SelectorConfig& config, int layer, std::int64_t tokens);

struct Selection {
  bool dense = false;
  BlockList forced;                 // all blocks when dense; holds the current block
  std::vector<BlockList> selected;  // A per KV head, without forced blocks; empty lists when dense
};

// `scores` is [kv_head][block] and reaches at least to the window's end; NaN cannot be chosen.
Selection select_blocks(const SelectorConfig& config, int layer, std::int64_t tokens,
                        const HeadScores& scores);

}  // namespace lockstep
