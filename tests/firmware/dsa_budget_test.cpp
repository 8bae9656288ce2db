// Both rules for delta and the rank curve behind the second, against cases worked by hand.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "firmware/dsa/rank_curve.h"
#include "firmware/dsa/speculation_budget.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

LatencySample sample(std::int64_t context_tokens, double selection_us, double us_per_delta) {
  LatencySample sample{context_tokens, selection_us, {}};
  for (std::size_t d = 0; d < kDeltas.size(); ++d) {
    sample.speculation_us[d] = us_per_delta * kDeltas[d];
  }
  return sample;
}

std::string refusal_of(const std::vector<LatencySample>& samples) {
  try {
    const LatencyProfile profile(samples, 2);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LatencyProfile, TakesTheLargestDeltaThatHidesBehindSelection) {
  const LatencyProfile profile({sample(4096, 1.0, 4.1), sample(8192, 4.0, 2.0)}, 1);
  EXPECT_EQ(profile.largest_safe_delta(8192), 2.0) << "equal times still hide";
  EXPECT_EQ(profile.largest_safe_delta(4096), 0) << "not even delta 0.5, of 2.05 us, hides";
}

TEST(LatencyProfile, FollowsThePolynomialBetweenMeasuredContexts) {
  // Selection grows as 2 us + 3 us x (n / 8K)^2; a parabola through it is exact.
  std::vector<LatencySample> samples;
  for (const std::int64_t n : {4096, 8192, 16384, 32768, 65536}) {
    const double x = static_cast<double>(n) / 8192;
    samples.push_back(sample(n, 2 + 3 * x * x, 5.0));
  }
  const LatencyProfile profile(samples, 2);
  EXPECT_NEAR(profile.at(12288).selection_us, 2 + 3 * 1.5 * 1.5, 1e-9);
  EXPECT_NEAR(profile.at(12288).speculation_us[2], 5.0, 1e-9);
  EXPECT_EQ(profile.largest_safe_delta(12288), 1.75) << "8.75 us is the last multiple below 8.75";
  EXPECT_EQ(profile.at(16384).selection_us, 2 + 3 * 4.0) << "measured contexts are looked up";
}

TEST(LatencyProfile, OneSampleIsAConstant) {
  EXPECT_NEAR(LatencyProfile({sample(4096, 3, 1)}, 2).at(100000).selection_us, 3, 1e-12);
}

TEST(LatencyProfile, RefusesATableThatMakesNoSense) {
  EXPECT_EQ(refusal_of({}), "latency profile: it needs at least one context");
  EXPECT_EQ(refusal_of({sample(8, 1, 1), sample(8, 2, 1)}),
            "latency profile: context 8 appears twice");
  EXPECT_EQ(refusal_of({sample(0, 1, 1)}), "latency profile: context 0 is below 1 token");
  EXPECT_EQ(refusal_of({sample(8, -1, 1)}),
            "latency profile: context 8 has a time that is not 0 or more");
  EXPECT_EQ(refusal_of({sample(8, NAN, 1)}),
            "latency profile: context 8 has a time that is not 0 or more");
}

TEST(LatencyOptimalDelta, StopsWhereAWiderListCostsMoreThanItSaves) {
  // Window 3 us, speculation 2 us per delta, repair 2 us / delta^2: at delta 1.5 the sum is
  // 3 + 0.889, at 1.25 it is 3 + 1.28, at 1.75 it is 3.5 + 0.653 = 4.153.
  SpeculationCost cost{3, [](double d) { return 2 * d; }, [](double d) { return 2 / (d * d); }};
  EXPECT_EQ(latency_optimal_delta(cost), 1.5);
  cost.window_us = 6;  // now everything up to delta 3 hides
  EXPECT_EQ(latency_optimal_delta(cost), 3.0);
}

TEST(LatencyOptimalDelta, PrefersTheSmallerOfEqualDeltas) {
  const SpeculationCost cost{9, [](double d) { return d; }, [](double) { return 1.0; }};
  EXPECT_EQ(latency_optimal_delta(cost), kDeltas.front());
}

TEST(RankCurve, CountsWhatEachRankWasWorth) {
  RankCurve curve(2);
  EXPECT_EQ(curve.expected_missed(1), 2) << "nothing is known yet";
  const std::vector<double> predicted = {0.1, 0.9, 0.5, NAN};  // ranks: 1, 2, 0
  curve.observe(predicted, {1, 2});                            // ranks 0 and 1 hit
  curve.observe(predicted, {0, 3});                            // rank 2 hit, block 3 cannot be
  EXPECT_EQ(curve.expected_missed(1), 1) << "misses 0 and 2";
  EXPECT_EQ(curve.expected_missed(1.5), 0.5) << "misses 0 and 1 (block 3)";
  EXPECT_EQ(curve.expected_missed(4), 0.5);
  EXPECT_EQ(curve.probability(0), 0.5);
  EXPECT_EQ(curve.probability(3), 0);
  EXPECT_EQ(curve.probabilities(predicted), (std::vector<double>{0.5, 0.5, 0.5, 0}));
}

}  // namespace
}  // namespace lockstep
