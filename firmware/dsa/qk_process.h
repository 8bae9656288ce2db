// Scores of synthetic keys and queries: passages with topics, heavy-hitter and sink tokens, outlier
// channels; a query that is static + a slowly drifting focus + knob x a part new for every token.
#pragma once

#include "firmware/dsa/block_scorer.h"
#include "firmware/dsa/random_stream.h"
#include "firmware/dsa/score_process.h"

namespace lockstep {

class QkProcess final : public ScoreProcess {
 public:
  static constexpr int kHeadDim = 128;
  static constexpr int kGroup = 4;  // query heads of the KV head

  QkProcess(const ProcessConfig& config, int layer, int head);
  ScoreSeries scores(double fast) const override;

  // [query_head of the group][head_dim] at row `step`. The heads differ, but their mean is the
  // query that Quest scores with.
  std::vector<float> query(std::int64_t step, double fast) const;
  const std::vector<float>& keys() const { return keys_; }  // [token][head_dim]

 private:
  using Vector = std::vector<double>;  // kHeadDim
  struct Passages;

  void draw_keys(const Passages& passages);
  void draw_slow(const Passages& passages);
  void draw_fast();
  RandomStream stream(int purpose) const;

  ProcessConfig config_;
  int layer_;
  int head_;
  std::int64_t tokens_;
  std::int64_t steps_;
  Vector mean_query_;
  std::vector<float> keys_;
  std::vector<Vector> slow_, fast_;            // per step
  std::vector<std::vector<float>> deviation_;  // per step: [query_head][head_dim], sum over heads 0
  std::unique_ptr<BlockScorer> scorer_;
};

}  // namespace lockstep
