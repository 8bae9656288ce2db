#include "firmware/dsa/selector.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct SelectorField {
  std::string_view key;
  std::int64_t lowest;
  std::int64_t (*value)(const SelectorConfig&);
};

constexpr SelectorField kSelectorFields[] = {
    {"block_tokens", 1, [](const SelectorConfig& c) -> std::int64_t { return c.block_tokens; }},
    {"budget_tokens", 1, [](const SelectorConfig& c) -> std::int64_t { return c.budget_tokens; }},
    {"init_blocks", 0, [](const SelectorConfig& c) -> std::int64_t { return c.init_blocks; }},
    {"local_blocks", 1, [](const SelectorConfig& c) -> std::int64_t { return c.local_blocks; }},
    {"dense_layers", 0, [](const SelectorConfig& c) -> std::int64_t { return c.dense_layers; }},
    {"dense_tokens", 0, [](const SelectorConfig& c) -> std::int64_t { return c.dense_tokens; }},
};

BlockList block_range(BlockIndex begin, BlockIndex end) {
  BlockList blocks(static_cast<std::size_t>(std::max(0, end - begin)));
  std::iota(blocks.begin(), blocks.end(), begin);
  return blocks;
}

// The scores of the competing blocks; everything else cannot be chosen.
std::vector<float> competing(const std::vector<float>& scores, const SelectionWindow& window) {
  ensure(scores.size() >= static_cast<std::size_t>(window.end), "a competing block has no score");
  std::vector<float> inside(scores.begin(), scores.begin() + window.end);
  std::fill(inside.begin(), inside.begin() + window.begin, std::numeric_limits<float>::quiet_NaN());
  return inside;
}

}  // namespace

void check_selector(const SelectorConfig& config) {
  for (const auto& field : kSelectorFields) {
    if (field.value(config) >= field.lowest) continue;
    throw InputError("selector: `" + std::string(field.key) + "` must be at least " +
                     std::to_string(field.lowest) + ", got " + std::to_string(field.value(config)));
  }
  const std::int64_t forced = std::int64_t{config.init_blocks} + config.local_blocks;
  if (config.budget_tokens / config.block_tokens > forced) return;
  throw InputError("selector: `budget_tokens` must hold more than the " + std::to_string(forced) +
                   " forced blocks, got " + std::to_string(config.budget_tokens) + " tokens in " +
                   "blocks of " + std::to_string(config.block_tokens));
}

SelectionWindow selection_window(const SelectorConfig& config, int layer, std::int64_t tokens) {
  SelectionWindow window;
  window.blocks = static_cast<BlockIndex>((tokens + config.block_tokens - 1) / config.block_tokens);
  const std::int64_t budget = config.budget_tokens / config.block_tokens;
  window.dense =
      layer < config.dense_layers || tokens < config.dense_tokens || window.blocks <= budget;
  if (window.dense) return window;
  window.begin = config.init_blocks;
  window.end = window.blocks - config.local_blocks;
  window.top_k = budget - config.init_blocks - config.local_blocks;
  return window;
}

Selection select_blocks(const SelectorConfig& config, int layer, std::int64_t tokens,
                        const HeadScores& scores) {
  const SelectionWindow window = selection_window(config, layer, tokens);
  Selection selection;
  selection.dense = window.dense;
  selection.selected.resize(scores.size());
  if (window.dense) {
    selection.forced = block_range(0, window.blocks);
    return selection;
  }
  selection.forced =
      all_blocks(block_range(0, window.begin), block_range(window.end, window.blocks));
  if (config.granularity == Granularity::kKvHead) {
    for (std::size_t head = 0; head < scores.size(); ++head) {
      selection.selected[head] = top_blocks(competing(scores[head], window), window.top_k);
    }
    return selection;
  }
  std::vector<float> sum(static_cast<std::size_t>(window.end), 0.0F);
  for (const auto& head : scores) {
    const std::vector<float> one = competing(head, window);
    for (std::size_t b = 0; b < sum.size(); ++b) sum[b] += one[b];
  }
  for (auto& list : selection.selected) list = top_blocks(sum, window.top_k);
  return selection;
}

}  // namespace lockstep
