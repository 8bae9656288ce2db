// Host requests and PIM kernels at once: who goes first, what a change costs, and that neither side
// starves.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {
namespace {

constexpr BankAddress kBank0{0, 0, 0, 0};

struct Outcome {
  std::vector<CommandLog::Entry> commands;
  std::vector<Completion> completions;
  ChannelStats stats;
};

// 100 MAC commands on row 5 and `reads` reads of row 9, both offered at clock 0.
Outcome contest(const ControllerConfig& config, std::uint64_t reads = 20) {
  ChannelController controller(config);
  CommandLog log;
  controller.set_observer(&log);
  controller.push(kernel_request(1000, {mac_run(5, 100)}));
  for (std::uint64_t id = 0; id < reads; ++id) controller.push(read_request(id, kBank0, 9));
  auto completions = drain(controller);
  return {log.entries(), std::move(completions), controller.stats()};
}

std::int64_t changes_of_source(const std::vector<CommandLog::Entry>& commands) {
  std::int64_t changes = 0;
  for (std::size_t i = 1; i < commands.size(); ++i) {
    changes += commands[i].source != commands[i - 1].source ? 1 : 0;
  }
  return changes;
}

TEST(Arbitration, PimFirstFinishesTheKernelFirst) {
  const auto outcome = contest(controller_5200());
  EXPECT_EQ(outcome.completions.front().kind, Completion::Kind::kKernel);
  EXPECT_EQ(outcome.completions.front().when.count, 20 + 6 * 99);
  EXPECT_EQ(changes_of_source(outcome.commands), 1);
}

TEST(Arbitration, HostFirstServesEveryRequestFirst) {
  auto config = controller_5200();
  config.arbitration = Arbitration::kHostFirst;
  const auto outcome = contest(config);
  EXPECT_EQ(outcome.completions.back().kind, Completion::Kind::kKernel);
  EXPECT_EQ(outcome.completions.front().when.count, 1 + 19 + 21);
  EXPECT_EQ(changes_of_source(outcome.commands), 1);
}

TEST(Arbitration, TimeSlicesAlternate) {
  auto config = controller_5200();
  config.arbitration = Arbitration::kTimeSlice;
  config.time_slice = {200};
  const auto outcome = contest(config, 200);
  EXPECT_GT(changes_of_source(outcome.commands), 4);
  EXPECT_EQ(outcome.stats.mode_switches, changes_of_source(outcome.commands));
  // Both sides have had a turn by the end of the second slice and one row change.
  for (const auto source : {Source::kHost, Source::kPim}) {
    const auto first = std::find_if(outcome.commands.begin(), outcome.commands.end(),
                                    [&](const auto& entry) { return entry.source == source; });
    ASSERT_NE(first, outcome.commands.end());
    EXPECT_LE(first->cycle.count, 2 * 200 + 64);
  }
}

// A slice shorter than a row change must not pass while nothing but row commands have gone.
TEST(Arbitration, SlicesOfOneClockStillServeBothSides) {
  auto config = controller_5200();
  config.arbitration = Arbitration::kTimeSlice;
  config.time_slice = {1};
  EXPECT_EQ(contest(config).completions.size(), 21U);
}

TEST(Arbitration, AModeSwitchCostsItsClocksBetweenTheTwoSides) {
  auto config = controller_5200();
  config.timing.pim.n_mode_switch = {50};
  const auto outcome = contest(config);
  const auto host = std::find_if(outcome.commands.begin(), outcome.commands.end(),
                                 [](const auto& entry) { return entry.source == Source::kHost; });
  const auto last_mac = std::prev(host);
  EXPECT_EQ(last_mac->cmd, Cmd::MACab);
  EXPECT_EQ(host->cmd, Cmd::PREpb);
  EXPECT_EQ((host->cycle - last_mac->cycle).count, 50);
}

TEST(Arbitration, WithoutASwitchCostTheOtherSideWaitsForTheBanksAlone) {
  const auto outcome = contest(controller_5200());
  const auto host = std::find_if(outcome.commands.begin(), outcome.commands.end(),
                                 [](const auto& entry) { return entry.source == Source::kHost; });
  EXPECT_EQ((host->cycle - std::prev(host)->cycle).count, 8) << "nRTP";
}

// PIM comes first, but no host request waits longer than the age limit and its own service: at most
// a row of the kernel to close (nRAS), nRP, nRCD and the data.
TEST(Arbitration, AHostRequestIsServedOnceItIsOlderThanTheAgeLimit) {
  auto config = controller_5200();
  config.age_limit = {500};
  ChannelController controller(config);
  controller.push(kernel_request(1000, {mac_run(5, 10'000)}));
  controller.push(read_request(1, kBank0, 9));
  EXPECT_LE(when_of(drain(controller), 1), 501 + 45 + 19 + 19 + 21);
}

TEST(Arbitration, AKernelGetsOnWhenHostTrafficNeverEnds) {
  auto config = controller_5200();
  config.arbitration = Arbitration::kHostFirst;
  config.age_limit = {500};
  ChannelController controller(config);
  controller.push(kernel_request(1000, {mac_run(5, 4)}));
  std::uint64_t id = 0;
  Cycles when{-1};
  for (std::int64_t clock = 0; clock < 20'000; clock += 4) {
    controller.advance({clock});
    controller.push(read_request(id++, kBank0, 9, {clock}));
    for (const auto& completion : controller.take_completions()) {
      if (completion.id == 1000) when = completion.when;
    }
  }
  EXPECT_GE(when.count, 0) << "the kernel starved";
}

// A host request whose row an all-bank activation closes is neither lost nor stuck.
TEST(Arbitration, KernelsAndRequestsThatTakeEachOthersRowsAllEnd) {
  for (const auto arbitration :
       {Arbitration::kPimFirst, Arbitration::kHostFirst, Arbitration::kTimeSlice}) {
    auto config = controller_5200();
    config.arbitration = arbitration;
    config.time_slice = {30};
    config.age_limit = {60};
    config.host_window = 1;
    ChannelController controller(config);
    for (int i = 0; i < 50; ++i) {
      controller.push(kernel_request(static_cast<std::uint64_t>(1000 + i), {mac_run(i, 2)}));
      controller.push(read_request(static_cast<std::uint64_t>(i), kBank0, 500 + i));
    }
    EXPECT_EQ(drain(controller).size(), 100U);
  }
}

}  // namespace
}  // namespace lockstep
