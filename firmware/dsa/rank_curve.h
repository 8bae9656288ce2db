// How often the block at each rank of the prediction is really selected, learned online. It answers
// what a larger budget would buy, and how probable a block is, without assuming a score model.
#pragma once

#include <vector>

#include "firmware/dsa/block_list.h"

namespace lockstep {

class RankCurve {
 public:
  explicit RankCurve(std::int64_t top_k) : top_k_(top_k) {}

  // One step: the predicted scores it started with (NaN: never scored) and what it then selected.
  void observe(Span<double> predicted, const BlockList& selected);

  // Mean |A \ P| per step with |P| = floor(delta x top_k); top_k before the first step.
  double expected_missed(double delta) const;

  // Share of steps in which the block at this rank (0: best) was selected, smoothed over the
  // neighbouring ranks of one bin; 0 beyond the ranks seen.
  double probability(std::int64_t rank) const;

  // The same, by block, for one prediction; 0 for a block that was never scored.
  std::vector<double> probabilities(Span<double> predicted) const;

 private:
  std::int64_t bin_ranks() const;

  std::int64_t top_k_;
  std::int64_t steps_ = 0;
  std::int64_t selected_ = 0;       // blocks selected over all steps
  std::vector<std::int64_t> hits_;  // per rank
};

}  // namespace lockstep
