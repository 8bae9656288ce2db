// How many blocks to speculate on: delta = |P| / |A| (docs/dsa.md, Eq. 1). Two rules: the largest
// delta that still hides behind selection, and the delta of least expected latency.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace lockstep {

// 0.5, 0.75, ..., 4. No source prints the grid; this one is ours.
constexpr std::array<double, 15> kDeltas = {0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25,
                                            2.5, 2.75, 3.0, 3.25, 3.5, 3.75, 4.0};

// What was measured offline at one context length.
struct LatencySample {
  std::int64_t context_tokens = 0;
  double selection_us = 0;                                 // scoring, top-K and hand-off
  std::array<double, kDeltas.size()> speculation_us = {};  // attention over P, per delta
};

// The offline table, measured once per (model, stack, selector, block size, top-K). A context that
// was measured is looked up; any other comes from a least-squares polynomial through all samples.
class LatencyProfile {
 public:
  // Samples in any order, each context once. `degree` is lowered to the number of samples - 1.
  // Throws InputError when there is no sample, a context twice or below 1, or a negative time.
  LatencyProfile(std::vector<LatencySample> samples, int degree);

  LatencySample at(std::int64_t context_tokens) const;

  // The largest delta of kDeltas whose speculation takes no longer than selection; 0 when even the
  // smallest takes longer.
  double largest_safe_delta(std::int64_t context_tokens) const;

 private:
  using Coefficients = std::vector<double>;

  std::vector<LatencySample> samples_;  // by context
  double scale_tokens_ = 1;
  Coefficients selection_;
  std::array<Coefficients, kDeltas.size()> speculation_;
};

// What one layer is expected to cost at a given delta.
struct SpeculationCost {
  double window_us = 0;                                // selection, top-K, hand-off
  std::function<double(double delta)> speculation_us;  // attention over P
  std::function<double(double delta)> repair_us;       // with the fixed cost of a pass
};

// The delta of kDeltas that minimises max(window, speculation) + repair; the smallest such delta,
// since a larger one reads more blocks for nothing.
double latency_optimal_delta(const SpeculationCost& cost);

}  // namespace lockstep
