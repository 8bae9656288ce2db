#include "firmware/sparse/side_memory.h"

#include "firmware/dsa/score_process.h"

namespace lockstep {
namespace {

constexpr std::int64_t kBytesOfNumber = 4;  // fp32
constexpr std::int64_t kBytesOfEntry = 4;   // of a list

}  // namespace

std::vector<SideMemory> side_memory(const SparseConfig& config, double delta) {
  const auto& shape = config.shape;
  const std::int64_t tokens = config.context_tokens + config.decode_tokens;
  const std::int64_t layers = config.layers - config.selector.dense_layers;
  const std::int64_t heads = std::int64_t{config.batch} * shape.kv_heads;
  const std::int64_t query_heads = heads * config.group;
  const std::int64_t forced = config.selector.init_blocks + config.selector.local_blocks;
  const std::int64_t guessed = budget_blocks(delta, dynamic_top_k(config.selector)) + forced;

  std::vector<SideMemory> parts;
  parts.push_back({"summaries", "all sparse layers",
                   layers * config.batch * config.tensors_of_summaries() *
                       config.summaries_of(tokens) * shape.token_bytes()});
  parts.push_back({"predictor", "level and trend of every block, fp32, all sparse layers",
                   2 * kBytesOfNumber * layers * heads * (tokens / shape.block_tokens)});
  parts.push_back(
      {"lists", "the longest list of a layer, 4 B an entry", kBytesOfEntry * heads * guessed});
  parts.push_back({"partial_results", "two of every query head of a layer: (m, l, acc), fp32",
                   2 * kBytesOfNumber * query_heads * (shape.head_dim + 2)});
  if (config.repair == RepairMode::kExactLatemask) {
    parts.push_back({"kept_scores", "of a guess, a layer, fp32",
                     kBytesOfNumber * query_heads * guessed * shape.block_tokens});
  }
  return parts;
}

}  // namespace lockstep
