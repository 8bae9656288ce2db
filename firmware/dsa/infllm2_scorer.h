// InfLLM-v2: mean keys over kernels of 32 tokens, one every 16; a softmax of q.k/sqrt(d) over all
// visible kernels per query head, summed over the group; a block takes the best kernel that
// overlaps it. The released code may take the softmax's denominator from coarser kernels; this one
// does not.
#pragma once

#include "firmware/dsa/block_scorer.h"

namespace lockstep {

class InfLlm2Scorer final : public BlockScorer {
 public:
  static constexpr std::int64_t kStrideTokens = 16;
  static constexpr std::int64_t kKernelTokens = 2 * kStrideTokens;
  // Kernels that lie whole within the first `tokens` tokens.
  static constexpr std::int64_t kernels_in(std::int64_t tokens) {
    return tokens < kKernelTokens ? 0 : (tokens - kKernelTokens) / kStrideTokens + 1;
  }

  InfLlm2Scorer(const HeadShape& shape, int block_tokens, ScorePrecision precision);

  void append(Span<float> key) override;
  HeadScores score(Span<float> query, std::int64_t tokens) const override;

 private:
  void add_softmax(const float* query, std::size_t kv_head, std::vector<float>& into) const;
  std::vector<float> pool(const std::vector<float>& kernels, std::int64_t blocks) const;

  HeadShape shape_;
  std::int64_t block_tokens_;
  ScorePrecision precision_;
  std::int64_t tokens_ = 0;
  std::vector<float> previous_;              // sum of the last whole stride; [kv_head x head_dim]
  std::vector<float> current_;               // sum of the stride being filled
  std::vector<std::vector<float>> kernels_;  // mean keys, channel-major: [channel][kernel]
};

}  // namespace lockstep
