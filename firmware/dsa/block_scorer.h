// Scores the blocks of a context by summaries that grow as tokens are appended: Quest's per-channel
// minima and maxima, or InfLLM-v2's mean keys (docs/dsa.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tlm/contract/span.h"

namespace lockstep {

struct HeadShape {
  int kv_heads = 0;
  int query_heads = 0;  // a multiple of kv_heads: the heads of a group share one KV head
  int head_dim = 0;
};

// Precision in which a score is stored before top-K. The released selectors store fp16.
enum class ScorePrecision { kFp16, kFp32 };

// `score` as it is read back from there.
float stored(float score, ScorePrecision precision);

using HeadScores = std::vector<std::vector<float>>;  // [kv_head][block]

class BlockScorer {
 public:
  BlockScorer() = default;
  BlockScorer(const BlockScorer&) = delete;
  BlockScorer& operator=(const BlockScorer&) = delete;
  virtual ~BlockScorer() = default;

  // The key of the next token, [kv_head][head_dim], position encoding already applied.
  virtual void append(Span<float> key) = 0;

  // Scores of every block that lies whole within the first `tokens` tokens, which must have been
  // appended. `query` is [query_head][head_dim].
  virtual HeadScores score(Span<float> query, std::int64_t tokens) const = 0;
};

// What a scorer keeps of a context, and what meets it: all that a stack has to know of it.
struct ScorerInfo {
  std::string_view name;
  std::int64_t block_multiple;  // a block must be a multiple of so many tokens
  int tensors;                  // of summaries, each as large as a key
  bool mean_query;              // of the group scores alone; else every query of it does
  // Summaries of a tensor that the first `tokens` tokens complete.
  std::int64_t (*summaries)(std::int64_t tokens, std::int64_t block_tokens);
  std::unique_ptr<BlockScorer> (*make)(const HeadShape&, int block_tokens, ScorePrecision);
};
Span<ScorerInfo> block_scorers();

// Throws InputError for a name that block_scorers() does not have.
const ScorerInfo& scorer_info(std::string_view name);

// `name` is one of block_scorers(). Throws InputError for another, a shape that is no grouping, or
// a block that is no multiple of the scorer's.
std::unique_ptr<BlockScorer> make_block_scorer(std::string_view name, const HeadShape& shape,
                                               int block_tokens, ScorePrecision precision);

}  // namespace lockstep
