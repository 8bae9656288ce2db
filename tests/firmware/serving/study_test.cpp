// The placement study's results that depend on the serving loop and the allocators alone, over the
// very requests it used: steps and failures exactly, region spread within its sampling.
#include "tests/firmware/serving/study.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

struct Published {
  std::string_view policy;
  std::int64_t steps;
  std::int64_t admission_failures;  // -1: not published
  double region_spread;
  double tolerance;  // the study scored 8 sequences a step, we score all
};

constexpr Published kSteady[] = {
    {"paged-lifo", 5959, -1, 6.10, 0.3},
    {"region", 5955, -1, 1.00, 0.005},
    {"contiguous", 6485, 3343, 1.14, 0.03},
};

TEST(PlacementStudy, SteadyRunsTheStepsThatWerePublished) {
  const auto stream = study::requests("requests_steady_seed0.csv");
  ASSERT_EQ(stream.size(), 1000U);
  for (const auto& expected : kSteady) {
    const auto result = study::run(stream, expected.policy, 1.3, {});
    EXPECT_EQ(result.counters.steps, expected.steps) << expected.policy;
    EXPECT_EQ(result.counters.completed, 1000) << expected.policy;
    EXPECT_NEAR(result.region_spread, expected.region_spread, expected.tolerance)
        << expected.policy;
    if (expected.admission_failures >= 0) {
      EXPECT_EQ(result.counters.admission_failures, expected.admission_failures);
    }
  }
}

}  // namespace
}  // namespace lockstep
