// Command level and stream level are one model: whatever is asked and whenever, a controller driven
// command by command and one driven in closed form end in the same clocks, counters and state.
#include <gtest/gtest.h>

#include "tests/support/random_case.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kSeed = 20'260'101;
constexpr int kCases = 12'000;
constexpr std::int64_t kMaxCommands = 200'000;  // of a case; more is a livelock

Cycles arrival_of(const Request& request) {
  return std::visit([](const auto& r) { return r.arrival; }, request);
}

void push(const Request& request, ChannelController& controller) {
  std::visit([&](const auto& r) { controller.push(r); }, request);
}

void take(ChannelController& controller, std::vector<Completion>& all) {
  for (const auto& completion : controller.take_completions()) all.push_back(completion);
}

struct Outcome {
  ChannelController controller;
  std::vector<Completion> completions;
};

std::int64_t total_commands(const ChannelController& controller) {
  std::int64_t total = 0;
  for (const auto count : controller.stats().commands) total += count;
  return total;
}

Outcome command_level(const ControllerConfig& config, const std::vector<Request>& requests,
                      Cycles idle) {
  Outcome run{ChannelController(config), {}};
  auto& controller = run.controller;
  for (const auto& request : requests) {
    while (controller.next() <= arrival_of(request)) controller.issue_next();
    push(request, controller);
  }
  while (controller.has_work() && total_commands(controller) < kMaxCommands) {
    controller.issue_next();
  }
  const Cycles end = controller.last_issue() + idle;
  while (controller.next() <= end && controller.next().count != INT64_MAX) controller.issue_next();
  take(controller, run.completions);
  return run;
}

// As a channel module does it: plans ahead on a copy, and takes the plan if nothing arrives before.
Outcome stream_level(const ControllerConfig& config, const std::vector<Request>& requests,
                     Cycles idle, Dice& dice) {
  Outcome run{ChannelController(config), {}};
  auto& controller = run.controller;
  for (const auto& request : requests) {
    while (controller.has_work() && dice.one_in(2)) {
      ChannelController planned = controller;
      planned.advance_to_completion();
      if (planned.last_issue() > arrival_of(request)) break;
      controller = planned;
      take(controller, run.completions);
    }
    if (dice.one_in(4)) {
      const Cycles last = controller.last_issue();
      if (last < arrival_of(request)) {
        controller.advance(last + dice.clocks(0, (arrival_of(request) - last).count));
      }
    }
    controller.advance(arrival_of(request));
    push(request, controller);
    take(controller, run.completions);
  }
  while (controller.has_work() && total_commands(controller) < kMaxCommands) {
    controller.advance_to_completion();
    take(controller, run.completions);
  }
  controller.advance(controller.last_issue() + idle);
  return run;
}

void expect_equal(const Outcome& one, const Outcome& other) {
  ASSERT_FALSE(one.controller.has_work()) << "the case does not end";
  one.controller.check_identities();
  other.controller.check_identities();
  ASSERT_EQ(one.completions.size(), other.completions.size());
  for (std::size_t i = 0; i < one.completions.size(); ++i) {
    ASSERT_EQ(one.completions[i].id, other.completions[i].id) << "completion " << i;
    ASSERT_EQ(one.completions[i].when.count, other.completions[i].when.count) << "completion " << i;
  }
  EXPECT_EQ(one.controller.last_issue().count, other.controller.last_issue().count);
  EXPECT_TRUE(one.controller.stats() == other.controller.stats());
  EXPECT_TRUE(one.controller.banks() == other.controller.banks());
  EXPECT_TRUE(one.controller == other.controller);
}

TEST(Levels, EndInTheSameClocksCountersAndStateForRandomTraffic) {
  std::int64_t refreshes = 0;
  std::int64_t switches = 0;
  for (int number = 0; number < kCases; ++number) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", case " + std::to_string(number));
    Dice dice(kSeed + static_cast<std::uint64_t>(number));
    const auto config = random_config(dice, random_topology(dice));
    const auto requests = random_requests(dice, config.topology);
    const Cycles idle = dice.one_in(4) ? dice.clocks(0, 20'000) : Cycles{0};
    const auto one = command_level(config, requests, idle);
    ASSERT_EQ(one.completions.size(), requests.size());
    expect_equal(one, stream_level(config, requests, idle, dice));
    if (HasFailure()) return;
    refreshes += issued(one.controller, Cmd::REFab) + issued(one.controller, Cmd::REFpb);
    switches += one.controller.stats().mode_switches;
  }
  EXPECT_GT(refreshes, kCases);
  EXPECT_GT(switches, kCases);
}

}  // namespace
}  // namespace lockstep
