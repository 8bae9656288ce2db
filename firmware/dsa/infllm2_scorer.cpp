#include "firmware/dsa/infllm2_scorer.h"

#include <algorithm>
#include <cmath>

#include "tlm/contract/errors.h"

namespace lockstep {

InfLlm2Scorer::InfLlm2Scorer(const HeadShape& shape, int block_tokens, ScorePrecision precision)
    : shape_(shape),
      block_tokens_(block_tokens),
      precision_(precision),
      current_(static_cast<std::size_t>(shape.kv_heads) * static_cast<std::size_t>(shape.head_dim)),
      kernels_(current_.size()) {}

void InfLlm2Scorer::append(Span<float> key) {
  ensure(key.size() == current_.size(), "a key has not kv_heads x head_dim numbers");
  for (std::size_t channel = 0; channel < key.size(); ++channel) current_[channel] += key[channel];
  if (++tokens_ % kStrideTokens != 0) return;
  for (std::size_t channel = 0; channel < previous_.size(); ++channel) {
    constexpr auto kTokens = static_cast<float>(kKernelTokens);
    kernels_[channel].push_back((previous_[channel] + current_[channel]) / kTokens);
  }
  previous_ = current_;
  current_.assign(current_.size(), 0.0F);
}

HeadScores InfLlm2Scorer::score(Span<float> query, std::int64_t tokens) const {
  ensure(tokens <= tokens_, "blocks were scored before their tokens were appended");
  const auto dim = static_cast<std::size_t>(shape_.head_dim);
  const auto heads = static_cast<std::size_t>(shape_.kv_heads);
  const auto group = static_cast<std::size_t>(shape_.query_heads) / heads;
  ensure(query.size() == heads * group * dim, "a query has not query_heads x head_dim numbers");
  const std::int64_t visible = kernels_in(tokens);
  HeadScores scores;
  for (std::size_t head = 0; head < heads; ++head) {
    std::vector<float> sum(static_cast<std::size_t>(visible), 0.0F);
    for (std::size_t g = 0; g < group; ++g) {
      add_softmax(query.begin() + (head * group + g) * dim, head, sum);
    }
    scores.push_back(pool(sum, tokens / block_tokens_));
  }
  return scores;
}

void InfLlm2Scorer::add_softmax(const float* query, std::size_t kv_head,
                                std::vector<float>& into) const {
  if (into.empty()) return;
  const auto dim = static_cast<std::size_t>(shape_.head_dim);
  const float scale = 1.0F / std::sqrt(static_cast<float>(dim));
  std::vector<float> weights(into.size(), 0.0F);
  for (std::size_t d = 0; d < dim; ++d) {
    const float channel = query[d] * scale;
    const auto& means = kernels_[kv_head * dim + d];
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] += channel * means[j];
  }
  const float highest = *std::max_element(weights.begin(), weights.end());
  float sum = 0;
  for (float& weight : weights) {
    weight = std::exp(weight - highest);
    sum += weight;
  }
  for (std::size_t j = 0; j < into.size(); ++j) into[j] += weights[j] / sum;
}

std::vector<float> InfLlm2Scorer::pool(const std::vector<float>& kernels,
                                       std::int64_t blocks) const {
  std::vector<float> scores;
  const auto visible = static_cast<std::int64_t>(kernels.size());
  const std::int64_t per_block = block_tokens_ / kStrideTokens;
  for (std::int64_t b = 0; b < blocks; ++b) {
    // A kernel is two strides, so one more than the strides of the block overlap it.
    const std::int64_t first = std::max<std::int64_t>(0, b * per_block - 1);
    const std::int64_t last = std::min(visible - 1, b * per_block + per_block - 1);
    float best = 0;
    for (std::int64_t j = first; j <= last; ++j) {
      best = std::max(best, kernels[static_cast<std::size_t>(j)]);
    }
    scores.push_back(stored(best, precision_));
  }
  return scores;
}

}  // namespace lockstep
