// Refresh: how often, how late, and that nothing starves it. nREFI is 5070 clocks, nRFC 456.
#include <gtest/gtest.h>

#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {
namespace {

constexpr Topology kChannel{2, 2, 4, 4, Level::kDomain};
constexpr Topology kPseudoChannel{1, 1, 4, 4, Level::kPseudoChannel};

ControllerConfig refreshed(RefreshMode mode, const Topology& topology = kChannel) {
  auto config = controller_5200(topology);
  config.refresh.mode = mode;
  return config;
}

std::vector<std::int64_t> of_pseudo_channel(const CommandLog& log, Cmd cmd, int pseudo_channel) {
  std::vector<std::int64_t> cycles;
  for (const auto& entry : log.entries()) {
    if (entry.cmd == cmd && entry.at.pseudo_channel == pseudo_channel)
      cycles.push_back(entry.cycle.count);
  }
  return cycles;
}

TEST(Refresh, TenIdleIntervalsTakeTenRefreshesOfEachPseudoChannel) {
  ChannelController controller(refreshed(RefreshMode::kAllBank));
  CommandLog log;
  controller.set_observer(&log);
  controller.advance({50'700});
  const std::vector<std::int64_t> every_interval = {5070,  10140, 15210, 20280, 25350,
                                                    30420, 35490, 40560, 45630, 50700};
  EXPECT_EQ(of_pseudo_channel(log, Cmd::REFab, 0), every_interval);
  EXPECT_EQ(of_pseudo_channel(log, Cmd::REFab, 1), every_interval);
  controller.check_identities();
}

TEST(Refresh, TenIdleIntervalsRefreshEveryBankTenTimes) {
  ChannelController controller(refreshed(RefreshMode::kPerBank));
  CommandLog log;
  controller.set_observer(&log);
  controller.advance({50'699});
  EXPECT_EQ(issued(controller, Cmd::REFpb), 2 * (10 * 32 - 1)) << "the last is due at 50,700";
  controller.advance({50'700});
  std::vector<int> times(64);
  for (const auto& entry : log.entries()) {
    EXPECT_EQ(entry.cmd, Cmd::REFpb);
    ++times[static_cast<std::size_t>(kChannel.index(Level::kBank, entry.at))];
  }
  EXPECT_EQ(times, std::vector<int>(64, 10));
}

TEST(Refresh, MacRowHitsNeverStarveIt) {
  ChannelController controller(refreshed(RefreshMode::kAllBank));
  controller.push(kernel_request(1, {mac_run(100, 20'000)}));  // 120,000 clocks of hits
  drain(controller);
  const std::int64_t intervals = controller.last_issue().count / 5070;
  EXPECT_GE(intervals, 23);
  EXPECT_EQ(issued(controller, Cmd::REFab), 2 * intervals);
}

// The row that is open when a refresh is due closes at the latest nRAS after it was opened, and nRP
// later the refresh goes.
TEST(Refresh, WithoutPostponementComesAtMostNrcLate) {
  ChannelController controller(refreshed(RefreshMode::kAllBank));
  CommandLog log;
  controller.set_observer(&log);
  PimKernel kernel;
  for (int row = 0; row < 1000; ++row) kernel.push_back(mac_run(row, 1 + row % 32));
  controller.push(kernel_request(1, kernel));
  drain(controller);
  for (const int pseudo_channel : {0, 1}) {
    const auto cycles = of_pseudo_channel(log, Cmd::REFab, pseudo_channel);
    ASSERT_GT(cycles.size(), 20U);
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      const auto due = 5070 * static_cast<std::int64_t>(i + 1);
      EXPECT_GE(cycles[i], due);
      EXPECT_LE(cycles[i], due + 45 + 19);
    }
  }
}

TEST(Refresh, HostRowHitsNeverStarveIt) {
  for (const auto mode : {RefreshMode::kAllBank, RefreshMode::kPerBank}) {
    ChannelController controller(refreshed(mode, kPseudoChannel));
    for (std::uint64_t id = 0; id < 10'000; ++id) controller.push(read_request(id, {}, 3));
    drain(controller);
    const std::int64_t per_interval = mode == RefreshMode::kAllBank ? 1 : 16;
    const auto due = controller.last_issue().count * per_interval / 5070;
    EXPECT_EQ(issued(controller, Cmd::REFab) + issued(controller, Cmd::REFpb), due);
  }
}

TEST(Refresh, EightArePostponedWhileThereIsWorkAndTheNinthIsForced) {
  auto config = refreshed(RefreshMode::kAllBank, kPseudoChannel);
  config.refresh.postpone = 8;
  ChannelController controller(config);
  CommandLog log;
  controller.set_observer(&log);
  controller.push(kernel_request(1, {mac_run(100, 9000)}));  // 54,013 clocks without refresh
  drain(controller);
  // Forced when the first is 8 intervals late, at 9 x 5070 = 45,630. Hits go at 20 + 6 n, the last
  // before that at 45,626; nRTP 8 and nRP 19 later comes the refresh, at 45,653. The row opens
  // again nRFC 456 later and hits go on at 46,128 + 6 n, until 50,694: then the tenth is 8 late.
  EXPECT_EQ(log.cycles_of(Cmd::REFab), (std::vector<std::int64_t>{45'653, 50'694 + 8 + 19}));
  EXPECT_EQ(controller.stats().refreshes_postponed, 2);
  controller.advance({20 * 5070});
  EXPECT_EQ(issued(controller, Cmd::REFab), 20) << "what was owed is made up for when idle";
}

TEST(Refresh, OwedRefreshesFollowOneAnotherByNrfcWhenIdle) {
  auto config = refreshed(RefreshMode::kAllBank, kPseudoChannel);
  config.refresh.postpone = 8;
  ChannelController controller(config);
  CommandLog log;
  controller.set_observer(&log);
  controller.push(kernel_request(1, {mac_run(100, 3000)}));  // ends at 20 + 6 x 2999 = 18,014
  drain(controller);
  EXPECT_EQ(issued(controller, Cmd::REFab), 0);
  controller.advance({20'000});
  // Three intervals have passed. Precharge at 18,014 + 8, refresh nRP later, then each nRFC later.
  EXPECT_EQ(log.cycles_of(Cmd::REFab), (std::vector<std::int64_t>{18'041, 18'497, 18'953}));
  // At 18,041 and 18,497 the one after was due too, at 10,140 and 15,210; at 18,953 it was not.
  EXPECT_EQ(controller.stats().refreshes_postponed, 2);
  EXPECT_EQ(controller.stats().refreshes_pulled_in, 0);
}

TEST(Refresh, AreDoneEarlyWhileThereIsNoWorkUpToTheLimit) {
  auto config = refreshed(RefreshMode::kAllBank, kPseudoChannel);
  config.refresh.pull_in = 8;
  ChannelController controller(config);
  controller.advance({5069});
  EXPECT_EQ(issued(controller, Cmd::REFab), 8);
  EXPECT_EQ(controller.stats().refreshes_pulled_in, 8);
  controller.advance({5070});
  EXPECT_EQ(issued(controller, Cmd::REFab), 9);
  controller.advance({50'700});
  EXPECT_EQ(issued(controller, Cmd::REFab), 18);
}

TEST(Refresh, NothingOpensDuringNrfcInEitherSid) {
  ChannelController controller(refreshed(RefreshMode::kAllBank, {1, 2, 4, 4, Level::kSid}));
  CommandLog log;
  controller.set_observer(&log);
  controller.advance({5070});
  controller.push(read_request(1, {0, 1, 3, 3}, 9, {5100}));
  drain(controller);
  EXPECT_EQ(log.cycles_of(Cmd::ACT), (std::vector<std::int64_t>{5070 + 456}));
}

TEST(Refresh, OfOneBankLeavesTheOthersAtWork) {
  ChannelController controller(refreshed(RefreshMode::kPerBank, kPseudoChannel));
  CommandLog log;
  controller.set_observer(&log);
  controller.advance({316});  // 5070 / 16: bank 0 is refreshed
  controller.push(read_request(1, {0, 0, 0, 0}, 9, {317}));
  controller.push(read_request(2, {0, 0, 1, 0}, 9, {317}));
  const auto completions = drain(controller);
  EXPECT_EQ(ids_of(completions), (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(log.cycles_of(Cmd::ACT), (std::vector<std::int64_t>{316 + 8, 316 + 260}));
}

}  // namespace
}  // namespace lockstep
