// Arrival times to engine iterations, worked by hand.
#include "firmware/workload/to_steps.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/firmware/workload/trace_text.h"

namespace lockstep {
namespace {

struct Arrival {
  std::int64_t arrival;
  std::int32_t output;
};

RequestTrace trace_of(const std::vector<Arrival>& arrivals,
                      ArrivalClock clock = ArrivalClock::kNanoseconds) {
  RequestTrace trace;
  trace.clock = clock;
  trace.report.file = "t";
  for (const auto& [arrival, output] : arrivals) {
    TimedRequest timed;
    timed.arrival = arrival;
    timed.request.id = static_cast<std::int32_t>(trace.requests.size());
    timed.request.output_tokens = output;
    trace.requests.push_back(timed);
  }
  return trace;
}

std::vector<std::int64_t> steps_of(const StepSchedule& schedule) {
  std::vector<std::int64_t> steps;
  for (const auto& request : schedule.requests) steps.push_back(request.arrival_step);
  return steps;
}

std::string refusal_of(const RequestTrace& trace, const StepRule& rule,
                       OutOfOrder out_of_order = OutOfOrder::kSort) {
  try {
    to_steps(trace, rule, out_of_order);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using Steps = std::vector<std::int64_t>;

TEST(ToSteps, CountsWholeStepsFromTheFirstArrival) {
  const auto schedule =
      to_steps(trace_of({{1000, 1}, {1029, 1}, {1030, 1}, {1090, 1}}), StepLength{30});
  EXPECT_EQ(steps_of(schedule), (Steps{0, 0, 1, 3}));
  EXPECT_EQ(schedule.nanoseconds_per_step, 30);
}

TEST(ToSteps, TakesAStepThatIsNoWholeNumberOfNanoseconds) {
  // 3 steps in 10 ns: step k begins at 10 k / 3 ns, so 3 ns is in step 0, 4 in 1, 7 in 2, 10 in 3.
  const auto schedule =
      to_steps(trace_of({{0, 1}, {3, 1}, {4, 1}, {7, 1}, {10, 1}}), StepLength{10, 3});
  EXPECT_EQ(steps_of(schedule), (Steps{0, 0, 1, 2, 3}));
}

TEST(ToSteps, KeepsProductsBeyond64Bits) {
  constexpr std::int64_t kYear = 365LL * 86'400 * 1'000'000'000;
  // A year in ns times 1,000 steps does not fit in 64 bits; divided by 500 ns it does.
  const auto dates = trace_of({{53 * kYear, 1}, {54 * kYear, 1}});
  EXPECT_EQ(steps_of(to_steps(dates, StepLength{500, 1000})), (Steps{0, 2 * kYear}));
}

TEST(ToSteps, RefusesStepsBeyond64Bits) {
  constexpr std::int64_t kYear = 365LL * 86'400 * 1'000'000'000;
  EXPECT_EQ(refusal_of(trace_of({{0, 1}, {kYear, 1}}), StepLength{1, 1000}),
            "t: an arrival is beyond step 4611686018427387904; take a longer step\n");
}

TEST(ToSteps, ScalesArrivalsToAMeanConcurrency) {
  // 60 token-steps in 100 ns; 6 at a time take 10 steps, so a step is 10 ns.
  const auto schedule = to_steps(trace_of({{500, 10}, {549, 20}, {600, 30}}), MeanConcurrency{6});
  EXPECT_EQ(steps_of(schedule), (Steps{0, 4, 10}));
  EXPECT_EQ(schedule.nanoseconds_per_step, 10);
}

TEST(ToSteps, KeepsTheWantedNumberRunningWhenNoneWaits) {
  // Arrivals every 7 ns with 13 tokens each. Count, step by step, who is between arrival and end.
  constexpr int kRunning = 5;
  constexpr int kOutput = 13;
  std::vector<Arrival> arrivals;
  for (int i = 0; i < 1000; ++i) arrivals.push_back({7L * i, kOutput});
  const auto steps = steps_of(to_steps(trace_of(arrivals), MeanConcurrency{kRunning}));
  std::int64_t running_steps = 0;
  constexpr std::int64_t kFrom = 500;
  constexpr std::int64_t kTo = 2000;  // of 2,600 steps
  for (const auto arrival : steps) {
    const auto begin = std::max(arrival, kFrom);
    const auto end = std::min(arrival + kOutput, kTo);
    running_steps += std::max<std::int64_t>(end - begin, 0);
  }
  const double mean = static_cast<double>(running_steps) / static_cast<double>(kTo - kFrom);
  // The span holds 999 gaps for 1,000 requests: 0.1 % more; the window's ends add 1 request in
  // 1,500.
  EXPECT_NEAR(mean, kRunning, kRunning * 0.002 + 13.0 / 1500);
}

TEST(ToSteps, SortsStablyAndCountsWhatItMoved) {
  const auto schedule = to_steps(trace_of({{20, 1}, {10, 1}, {30, 1}, {10, 1}}), StepLength{10});
  EXPECT_EQ(schedule.reordered, 2);
  EXPECT_EQ(steps_of(schedule), (Steps{0, 0, 1, 2}));
  const std::vector<int> ids = {schedule.requests[0].id, schedule.requests[1].id,
                                schedule.requests[2].id, schedule.requests[3].id};
  EXPECT_EQ(ids, (std::vector<int>{1, 3, 0, 2}));
}

TEST(ToSteps, LeavesGivenStepsAsTheyAre) {
  EXPECT_EQ(
      steps_of(to_steps(trace_of({{7, 1}, {7, 1}, {9, 1}}, ArrivalClock::kSteps), GivenSteps{})),
      (Steps{7, 7, 9}));
  EXPECT_EQ(steps_of(to_steps(trace_of({{0, 1}, {0, 1}}, ArrivalClock::kNone), GivenSteps{})),
            (Steps{0, 0}));
}

TEST(ToSteps, DrawsPoissonArrivalsWithEqualMeanAndVariance) {
  constexpr int kCount = 10'000;
  const std::vector<Arrival> arrivals(kCount, {0, 1});
  const PoissonArrivals poisson{0.25, 3};
  const auto steps = steps_of(to_steps(trace_of(arrivals, ArrivalClock::kNone), poisson));
  // The 10,000th arrival is Gamma distributed: mean n / rate, deviation sqrt(n) / rate.
  EXPECT_NEAR(static_cast<double>(steps.back()), kCount / 0.25, 5 * std::sqrt(kCount) / 0.25);
  std::vector<int> per_step(static_cast<std::size_t>(steps.back()) + 1);
  for (const auto step : steps) ++per_step[static_cast<std::size_t>(step)];
  double squares = 0;
  for (const int n : per_step) squares += (n - 0.25) * (n - 0.25);
  const auto count = static_cast<double>(per_step.size());
  // Variance of the sample variance of Poisson counts: (rate + 2 rate^2) / n.
  EXPECT_NEAR(squares / count, 0.25, 5 * std::sqrt((0.25 + 2 * 0.0625) / count));
}

TEST(ToSteps, RefusesARuleThatDoesNotSuitTheTrace) {
  const auto timed = trace_of({{0, 1}, {5, 1}});
  const auto stepped = trace_of({{0, 1}, {5, 1}}, ArrivalClock::kSteps);
  EXPECT_EQ(refusal_of(timed, GivenSteps{}),
            "t: arrivals are times, not steps; give the length of a step\n");
  EXPECT_EQ(refusal_of(stepped, StepLength{5}),
            "t: arrivals are not times, so a step has no length in ns\n");
  EXPECT_EQ(refusal_of(timed, StepLength{0}),
            "t: expected a positive length of a step, got 0 ns for 1 steps\n");
  EXPECT_EQ(refusal_of(trace_of({{5, 1}, {5, 1}}), MeanConcurrency{4}),
            "t: all requests arrive at once, so no length of a step gives a mean concurrency\n");
  EXPECT_EQ(refusal_of(timed, MeanConcurrency{0}),
            "t: expected 1 running sequence or more, got 0\n");
  EXPECT_EQ(refusal_of(timed, PoissonArrivals{0, 0}),
            "t: expected 0.0001 to 10000 arrivals a step, got 0\n");
  EXPECT_EQ(refusal_of(trace_of({{9, 1}, {5, 1}}), StepLength{1}, OutOfOrder::kRefuse),
            "t: 1 requests arrive before an earlier one of the file\n");
}

}  // namespace
}  // namespace lockstep
