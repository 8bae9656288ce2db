#include "firmware/sparse/side_memory.h"

#include "firmware/dsa/score_process.h"

namespace lockstep {
std::vector<SideMemory> side_memory(const SparseConfig& config, double delta) {
  const auto& shape = config.shape;
  const std::int64_t tokens = config.context_tokens + config.decode_tokens;
  const std::int64_t layers = config.layers - config.selector.dense_layers;
  const std::int64_t heads = std::int64_t{config.batch} * shape.kv_heads;
  const std::int64_t lists = std::int64_t{config.batch} * config.lists_of_a_layer();
  const std::int64_t query_heads = heads * config.group;
  const std::int64_t forced = config.selector.init_blocks + config.selector.local_blocks;
  const std::int64_t guessed = budget_blocks(delta, dynamic_top_k(config.selector)) + forced;

  std::vector<SideMemory> parts;
  parts.push_back({"summaries", "all sparse layers",
                   layers * config.batch * config.scorer().tensors * config.summaries_of(tokens) *
                       shape.token_bytes()});
  parts.push_back({"predictor", "level and trend of every block, fp32, all sparse layers",
                   2 * kBytesOfFp32 * layers * lists * (tokens / shape.block_tokens)});
  parts.push_back(
      {"lists", "the longest list of a layer, 4 B an entry", kBytesOfListEntry * lists * guessed});
  // With a partial result a block, those of the guess, the forced blocks and the repair.
  const std::int64_t partials =
      config.repair == RepairMode::kExactPartials ? guessed - forced + 2 : 2;
  parts.push_back({"partial_results", "of every query head of a layer: (m, l, acc), fp32",
                   partials * query_heads * config.partial_bytes()});
  if (config.repair == RepairMode::kExactLatemask) {
    parts.push_back({"kept_scores", "of a guess, a layer, fp32",
                     kBytesOfFp32 * query_heads * guessed * shape.block_tokens});
  }
  return parts;
}

}  // namespace lockstep
