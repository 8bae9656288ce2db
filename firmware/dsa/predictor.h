// Predicts which blocks the next selection will choose, from the scores of past selections
// (docs/dsa.md, Eq. 2-3). One predictor per (layer, KV head); two numbers of state per block.
#pragma once

#include <vector>

#include "firmware/dsa/block_list.h"

namespace lockstep {

struct Theta {
  double alpha = 0;  // weight of the new score in the level
  double beta = 0;   // weight of the new innovation in the trend
  double gamma = 0;  // how far the trend is followed

  friend bool operator==(const Theta& a, const Theta& b) {
    return a.alpha == b.alpha && a.beta == b.beta && a.gamma == b.gamma;
  }
};

class EmaPredictor {
 public:
  explicit EmaPredictor(const Theta& theta) : theta_(theta) {}

  // Eq. 2: level + gamma x trend per block, from the steps observed so far. NaN: never scored.
  std::vector<double> predicted_scores() const;

  // P: the `count` blocks of highest predicted score (`top_blocks`). Empty before any step.
  BlockList predict(std::int64_t count) const;

  // Eq. 3, after a selection. `scores` has one entry per block, at least as many as before; NaN
  // leaves the block's state as it is. A block's first score becomes its level, with trend 0.
  void observe(Span<double> scores);

  const std::vector<double>& levels() const { return level_; }
  const std::vector<double>& trends() const { return trend_; }

 private:
  Theta theta_;
  std::vector<double> level_;  // NaN: not scored yet
  std::vector<double> trend_;
};

}  // namespace lockstep
