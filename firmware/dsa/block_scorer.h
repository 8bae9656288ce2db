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

// `name` is `quest` or `infllm2`. Throws InputError for another name, a shape that is no grouping,
// or a block that is no multiple of the stride of 16 tokens (infllm2).
std::unique_ptr<BlockScorer> make_block_scorer(std::string_view name, const HeadShape& shape,
                                               int block_tokens, ScorePrecision precision);

}  // namespace lockstep
