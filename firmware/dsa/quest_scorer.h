// Quest: the score of a block is an upper bound of q.k over its tokens, from the per-channel
// minimum and maximum of its keys; the query is the mean of the group's. No 1/sqrt(d), no softmax.
#pragma once

#include "firmware/dsa/block_scorer.h"

namespace lockstep {

class QuestScorer final : public BlockScorer {
 public:
  QuestScorer(const HeadShape& shape, int block_tokens, ScorePrecision precision);

  void append(Span<float> key) override;
  HeadScores score(Span<float> query, std::int64_t tokens) const override;

 private:
  HeadShape shape_;
  std::int64_t block_tokens_;
  ScorePrecision precision_;
  std::int64_t tokens_ = 0;
  // Channel-major, so that scoring runs along blocks. The last entry may be an open block.
  std::vector<std::vector<float>> lowest_;   // [kv_head x head_dim][block]
  std::vector<std::vector<float>> highest_;  // [kv_head x head_dim][block]
};

}  // namespace lockstep
