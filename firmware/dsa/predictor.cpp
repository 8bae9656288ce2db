#include "firmware/dsa/predictor.h"

#include <cmath>
#include <limits>

#include "tlm/contract/errors.h"

namespace lockstep {

std::vector<double> EmaPredictor::predicted_scores() const {
  std::vector<double> predicted(level_.size());
  for (std::size_t b = 0; b < level_.size(); ++b) {
    predicted[b] = level_[b] + theta_.gamma * trend_[b];
  }
  return predicted;
}

BlockList EmaPredictor::predict(std::int64_t count) const {
  return top_blocks(predicted_scores(), count);
}

void EmaPredictor::observe(Span<double> scores) {
  ensure(scores.size() >= level_.size(), "a step scored fewer blocks than the step before it");
  level_.resize(scores.size(), std::numeric_limits<double>::quiet_NaN());
  trend_.resize(scores.size(), 0);
  for (std::size_t b = 0; b < scores.size(); ++b) {
    const double score = scores[b];
    if (std::isnan(score)) continue;
    if (std::isnan(level_[b])) {
      level_[b] = score;
      continue;
    }
    // The trend follows the innovation against the old level, so it is updated first.
    trend_[b] = theta_.beta * (score - level_[b]) + (1 - theta_.beta) * trend_[b];
    level_[b] = theta_.alpha * score + (1 - theta_.alpha) * level_[b];
  }
}

}  // namespace lockstep
