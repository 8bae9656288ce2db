#include "firmware/dsa/calibration.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

std::vector<double> weights_of(Span<double> scores, CalibrationWeights kind) {
  std::vector<double> weights(scores.size(), 0.0);
  double highest = -INFINITY;
  for (const double score : scores) highest = std::fmax(highest, score);
  for (std::size_t b = 0; b < scores.size(); ++b) {
    if (std::isnan(scores[b])) continue;
    weights[b] = kind == CalibrationWeights::kSoftmax ? std::exp(scores[b] - highest)
                                                      : std::max(scores[b], 0.0);
  }
  return weights;
}

double total(const std::vector<double>& weights, const BlockList& blocks) {
  double sum = 0;
  for (const BlockIndex b : blocks) sum += weights[static_cast<std::size_t>(b)];
  return sum;
}

}  // namespace

Theta grid_theta(std::size_t i) {
  const std::size_t gamma = i % kGammas.size();
  const std::size_t beta = i / kGammas.size() % kBetas.size();
  return {kAlphas[i / kGammas.size() / kBetas.size()], kBetas[beta], kGammas[gamma]};
}

Calibrator::Calibrator(std::int64_t top_k, CalibrationWeights weights, double delta)
    : top_k_(top_k), weights_(weights), delta_(delta), hits_(kGridPoints, 0.0) {
  for (std::size_t i = 0; i < kGridPoints; ++i) predictors_.emplace_back(grid_theta(i));
}

void Calibrator::add_row(Span<double> scores) {
  const bool predicted = !predictors_.front().levels().empty();
  if (predicted && choosable_blocks(scores) > top_k_) count_row(scores);
  for (auto& predictor : predictors_) predictor.observe(scores);
}

void Calibrator::count_row(Span<double> scores) {
  const BlockList selected = top_blocks(scores, top_k_);
  const std::vector<double> weights = weights_of(scores, weights_);
  const double selected_weight = total(weights, selected);
  if (selected_weight <= 0) return;
  ++rows_;
  const std::int64_t count = budget_blocks(delta_, top_k_);
  const std::size_t betas = kBetas.size() * kGammas.size();
  std::vector<double> hit_ratios(kGridPoints);
  for (std::size_t i = 0; i < kGridPoints; ++i) {
    // Without a trend, beta changes nothing: as with the first beta of this alpha.
    const std::size_t equal = i % kGammas.size() == 0 ? i / betas * betas : i;
    if (equal == i) {
      const BlockList hit = common_blocks(predictors_[i].predict(count), selected);
      hit_ratios[i] = total(weights, hit) / selected_weight;
    }
    hits_[i] += hit_ratios[equal];
  }
}

Calibration Calibrator::result() const {
  Calibration result;
  result.rows = rows_;
  result.best = grid_theta(0);
  if (rows_ == 0) return result;
  for (const double hits : hits_) result.h.push_back(hits / static_cast<double>(rows_));
  const auto best = std::max_element(result.h.begin(), result.h.end());
  result.best = grid_theta(static_cast<std::size_t>(best - result.h.begin()));
  return result;
}

}  // namespace lockstep
