#include "firmware/dsa/quest_scorer.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {

QuestScorer::QuestScorer(const HeadShape& shape, int block_tokens, ScorePrecision precision)
    : shape_(shape),
      block_tokens_(block_tokens),
      precision_(precision),
      lowest_(static_cast<std::size_t>(shape.kv_heads) * static_cast<std::size_t>(shape.head_dim)),
      highest_(lowest_.size()) {}

void QuestScorer::append(Span<float> key) {
  ensure(key.size() == lowest_.size(), "a key has not kv_heads x head_dim numbers");
  const bool opens = tokens_ % block_tokens_ == 0;
  for (std::size_t channel = 0; channel < key.size(); ++channel) {
    if (opens) {
      lowest_[channel].push_back(key[channel]);
      highest_[channel].push_back(key[channel]);
    } else {
      lowest_[channel].back() = std::min(lowest_[channel].back(), key[channel]);
      highest_[channel].back() = std::max(highest_[channel].back(), key[channel]);
    }
  }
  ++tokens_;
}

HeadScores QuestScorer::score(Span<float> query, std::int64_t tokens) const {
  ensure(tokens <= tokens_, "blocks were scored before their tokens were appended");
  const auto dim = static_cast<std::size_t>(shape_.head_dim);
  const auto heads = static_cast<std::size_t>(shape_.kv_heads);
  const auto group = static_cast<std::size_t>(shape_.query_heads) / heads;
  ensure(query.size() == heads * group * dim, "a query has not query_heads x head_dim numbers");
  const auto blocks = static_cast<std::size_t>(tokens / block_tokens_);
  HeadScores scores(heads, std::vector<float>(blocks, 0.0F));
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t d = 0; d < dim; ++d) {
      float mean = 0;
      for (std::size_t g = 0; g < group; ++g) mean += query[(head * group + g) * dim + d];
      mean /= static_cast<float>(group);
      // max(q mn, q mx) is q mx for q > 0 and q mn otherwise.
      const auto& bound = (mean > 0 ? highest_ : lowest_)[head * dim + d];
      for (std::size_t b = 0; b < blocks; ++b) scores[head][b] += mean * bound[b];
    }
    for (float& score : scores[head]) score = stored(score, precision_);
  }
  return scores;
}

}  // namespace lockstep
