// Chooses the predictor's parameters by replaying the last rows of the prompt over a grid of 80
// points (docs/dsa.md, Eq. 4-5).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "firmware/dsa/predictor.h"

namespace lockstep {

constexpr std::array<double, 4> kAlphas = {0.2, 0.4, 0.6, 0.8};
constexpr std::array<double, 5> kBetas = {0.1, 0.2, 0.3, 0.4, 0.5};
constexpr std::array<double, 4> kGammas = {0.0, 0.25, 0.5, 0.75};
constexpr std::size_t kGridPoints = kAlphas.size() * kBetas.size() * kGammas.size();

// Point `i` of the grid; alpha varies slowest, gamma fastest.
Theta grid_theta(std::size_t i);

// Eq. 4 needs weights of at least zero, and raw upper-bound scores can be negative.
enum class CalibrationWeights { kClippedAtZero, kSoftmax };

struct Calibration {
  std::vector<double> h;  // mean weighted hit rate per grid point; empty when no row counted
  Theta best;             // the first maximum of h; the first grid point when no row counted
  std::int64_t rows = 0;  // rows that counted
};

// Rows are scores per block (NaN: cannot be chosen), oldest first. A row counts when something was
// predicted for it, more blocks can be chosen than `top_k`, and those chosen have a weight; others
// are only observed.
class Calibrator {
 public:
  Calibrator(std::int64_t top_k, CalibrationWeights weights, double delta = 1);

  void add_row(Span<double> scores);
  Calibration result() const;

 private:
  void count_row(Span<double> scores);

  std::int64_t top_k_;
  CalibrationWeights weights_;
  double delta_;
  std::vector<EmaPredictor> predictors_;  // one per grid point
  std::vector<double> hits_;
  std::int64_t rows_ = 0;
};

}  // namespace lockstep
