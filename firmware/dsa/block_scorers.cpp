// The scorers by name. To add one is to add its row.
#include <string>

#include "firmware/dsa/infllm2_scorer.h"
#include "firmware/dsa/quest_scorer.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

template <typename Concrete>
std::unique_ptr<BlockScorer> make(const HeadShape& shape, int block_tokens,
                                  ScorePrecision precision) {
  return std::make_unique<Concrete>(shape, block_tokens, precision);
}

std::int64_t one_a_block(std::int64_t tokens, std::int64_t block_tokens) {
  return tokens / block_tokens;
}

std::int64_t one_a_kernel(std::int64_t tokens, std::int64_t) {
  return InfLlm2Scorer::kernels_in(tokens);
}

// clang-format off
constexpr ScorerInfo kScorers[] = {
    //          block multiple                tensors            mean query
    {"quest",   1,                            2 /* min, max */,  true,  one_a_block,  make<QuestScorer>},
    {"infllm2", InfLlm2Scorer::kStrideTokens, 1 /* means */,     false, one_a_kernel, make<InfLlm2Scorer>},
};
// clang-format on

void check(const ScorerInfo& row, const HeadShape& shape, int block_tokens) {
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

float stored(float score, ScorePrecision precision) {
  if (precision == ScorePrecision::kFp32) return score;
  return fp16_to_float(fp16_from_double(static_cast<double>(score)));
}

Span<ScorerInfo> block_scorers() {
  return kScorers;
}

const ScorerInfo& scorer_info(std::string_view name) {
  std::string known;
  for (const auto& row : kScorers) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw InputError("unknown block scorer `" + std::string(name) + "`; known: " + known);
}

std::unique_ptr<BlockScorer> make_block_scorer(std::string_view name, const HeadShape& shape,
                                               int block_tokens, ScorePrecision precision) {
  const auto& row = scorer_info(name);
  check(row, shape, block_tokens);
  return row.make(shape, block_tokens, precision);
}

}  // namespace lockstep
