// The scorers by name. To add one is to add its row.
#include <string>

#include "firmware/dsa/infllm2_scorer.h"
#include "firmware/dsa/quest_scorer.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct ScorerRow {
  std::string_view name;
  std::int64_t block_multiple;  // a block must be a multiple of so many tokens
  std::unique_ptr<BlockScorer> (*make)(const HeadShape&, int, ScorePrecision);
};

template <typename Concrete>
std::unique_ptr<BlockScorer> make(const HeadShape& shape, int block_tokens,
                                  ScorePrecision precision) {
  return std::make_unique<Concrete>(shape, block_tokens, precision);
}

constexpr ScorerRow kScorers[] = {
    {"quest", 1, make<QuestScorer>},
    {"infllm2", InfLlm2Scorer::kStrideTokens, make<InfLlm2Scorer>},
};

void check(const ScorerRow& row, const HeadShape& shape, int block_tokens) {
  const bool grouped = shape.kv_heads > 0 && shape.query_heads > 0 && shape.head_dim > 0 &&
                       shape.query_heads % shape.kv_heads == 0;
  if (!grouped) {
    throw InputError(
        "block scorer: query heads must be a multiple of KV heads, and no count 0; got " +
        std::to_string(shape.query_heads) + " query heads, " + std::to_string(shape.kv_heads) +
        " KV heads, head dimension " + std::to_string(shape.head_dim));
  }
  if (block_tokens < 1 || block_tokens % row.block_multiple != 0) {
    throw InputError("block scorer `" + std::string(row.name) +
                     "`: block_tokens must be a multiple of " + std::to_string(row.block_multiple) +
                     ", got " + std::to_string(block_tokens));
  }
}

}  // namespace

std::unique_ptr<BlockScorer> make_block_scorer(std::string_view name, const HeadShape& shape,
                                               int block_tokens, ScorePrecision precision) {
  std::string known;
  for (const auto& row : kScorers) {
    if (row.name == name) {
      check(row, shape, block_tokens);
      return row.make(shape, block_tokens, precision);
    }
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw InputError("unknown block scorer `" + std::string(name) + "`; known: " + known);
}

}  // namespace lockstep
