// The random source: the published sequence, moments of each distribution, and portability.
#include "firmware/workload/random.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "firmware/workload/portable_math.h"

namespace lockstep {
namespace {

constexpr int kDraws = 100'000;

struct Moments {
  double mean = 0;
  double variance = 0;
};

template <typename Draw>
Moments moments_of(Draw draw) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto x = static_cast<double>(draw());
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, squares / kDraws - mean * mean};
}

// Five deviations of a mean of kDraws: one run in two million fails by chance, and runs repeat.
double tolerance(double variance) {
  return 5 * std::sqrt(variance / kDraws);
}

// First outputs of the reference implementation for seed 1234567 (Vigna, prng.di.unimi.it, as
// Rosetta Code lists them).
TEST(Random, IsSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
  EXPECT_EQ(random.next(), 4593380528125082431U);
  EXPECT_EQ(random.next(), 16408922859458223821U);
}

TEST(Random, HasUnrelatedStreams) {
  Random first(5, 1);
  Random second(5, 2);
  const auto product = moments_of([&] { return (first.unit() - 0.5) * (second.unit() - 0.5); });
  EXPECT_NEAR(product.mean, 0, tolerance(1.0 / 144));
}

TEST(Random, DrawsUniformIntegersWithBothEnds) {
  Random random(1);
  int counts[7] = {};
  for (int i = 0; i < kDraws; ++i) ++counts[random.uniform(-3, 3) + 3];
  const double p = 1.0 / 7;
  for (const int count : counts)
    EXPECT_NEAR(count, kDraws * p, 5 * std::sqrt(kDraws * p * (1 - p)));
  EXPECT_EQ(random.uniform(4, 4), 4);
  random.uniform(INT64_MIN, INT64_MAX);
}

TEST(Random, DrawsWithTheMomentsOfEachDistribution) {
  Random random(2);
  const auto unit = moments_of([&] { return random.unit(); });
  EXPECT_NEAR(unit.mean, 0.5, tolerance(1.0 / 12));
  EXPECT_NEAR(unit.variance, 1.0 / 12, tolerance(1.0 / 180));
  const auto normal = moments_of([&] { return random.normal(); });
  EXPECT_NEAR(normal.mean, 0, tolerance(1));
  EXPECT_NEAR(normal.variance, 1, tolerance(2));
  const auto exponential = moments_of([&] { return random.exponential(); });
  EXPECT_NEAR(exponential.mean, 1, tolerance(1));
  EXPECT_NEAR(exponential.variance, 1, tolerance(8));
  for (const double mean : {0.25, 3.0}) {
    const auto poisson = moments_of([&] { return random.poisson(mean); });
    EXPECT_NEAR(poisson.mean, mean, tolerance(mean));
    EXPECT_NEAR(poisson.variance, mean, tolerance(mean + 2 * mean * mean));
  }
  EXPECT_EQ(random.poisson(0), 0);
  const auto logarithm = moments_of([&] { return std::log(random.lognormal(5.3, 0.8)); });
  EXPECT_NEAR(logarithm.mean, 5.3, tolerance(0.64));
  EXPECT_NEAR(logarithm.variance, 0.64, tolerance(2 * 0.64 * 0.64));
}

// The normal's shape, not only its moments: shares below -2, -1, 0, 1, 2 deviations.
TEST(Random, DrawsTheNormalDistributionFunction) {
  Random random(3);
  double z[kDraws];
  for (double& value : z) value = random.normal();
  for (const double edge : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    const double expected = std::erfc(-edge / std::sqrt(2.0)) / 2;
    const auto below =
        std::count_if(std::begin(z), std::end(z), [&](double v) { return v < edge; });
    EXPECT_NEAR(static_cast<double>(below) / kDraws, expected,
                tolerance(expected * (1 - expected)));
  }
}

TEST(PortableMath, AgreesWithTheLibrary) {
  Random random(4);
  for (int i = 0; i < kDraws; ++i) {
    const double x = std::ldexp(random.unit() + 0x1p-53, static_cast<int>(random.uniform(-60, 60)));
    ASSERT_NEAR(portable_log(x), std::log(x), 1e-15 * std::max(std::fabs(std::log(x)), 1.0)) << x;
    const double y = (2 * random.unit() - 1) * 100;
    ASSERT_NEAR(portable_exp(y), std::exp(y), 1e-13 * std::exp(y)) << y;
  }
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_exp(0), 1);
}

}  // namespace
}  // namespace lockstep
