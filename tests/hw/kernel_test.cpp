// PIM kernels on one controller at 5.2 Gb/s: what a row visit costs, barriers, and when work is
// done.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {
namespace {

TimingSet with_latencies() {
  TimingSet timing = hbm3_5200();
  timing.pim.n_mac_latency = {30};
  timing.pim.n_move_latency = {7};
  timing.pim.n_softmax_latency = {100};
  return timing;
}

ControllerConfig with_unit_latencies() {
  auto config = controller_5200();
  const int banks = config.timing.banks_per_sid;
  config.timing = with_latencies();
  config.timing.banks_per_sid = banks;
  return config;
}

// A row stays open at least nRAS, and closes nRTP after its last command: the next row opens
// max(nRC 64, nRCD 19 + 6 (k - 1) + nRTP 8 + nRP 19) after this one.
TEST(Kernel, ARowVisitOfKCommandsCostsMax64And46Plus6TimesKMinus1) {
  for (std::int32_t k = 1; k <= 64; ++k) {
    for (const Topology& topology :
         {Topology{1, 1, 4, 4, Level::kPseudoChannel}, Topology{2, 2, 4, 4, Level::kDomain},
          Topology{1, 2, 4, 4, Level::kSid}}) {
      ChannelController controller(controller_5200(topology));
      CommandLog log;
      controller.set_observer(&log);
      controller.push(kernel_request(1, {mac_run(1, k), mac_run(2, k), mac_run(3, k)}));
      drain(controller);
      const auto opened = log.cycles_of(Cmd::ACTab);
      const std::int64_t cost = std::max<std::int64_t>(64, 46 + 6 * (k - 1));
      EXPECT_EQ(opened, (std::vector<std::int64_t>{1, 1 + cost, 1 + 2 * cost})) << k;
    }
  }
}

TEST(Kernel, RepeatedColumnsCostAsMuchAsOthers) {
  PimRun run = mac_run(1, 8);
  run.repeats = 4;
  ChannelController controller(controller_5200());
  CommandLog log;
  controller.set_observer(&log);
  controller.push(kernel_request(1, {run}));
  drain(controller);
  EXPECT_EQ(log.cycles_of(Cmd::MACab).back(), 20 + 6 * 31);
  EXPECT_EQ(log.entries()[1].column, 0);
  EXPECT_EQ(log.entries()[4].column, 0);
  EXPECT_EQ(log.entries()[5].column, 1);
}

TEST(Kernel, IsCompleteWhenItsLastResultIsThere) {
  ChannelController controller(with_unit_latencies());
  controller.push(kernel_request(1, {mac_run(1, 10)}));
  controller.push(kernel_request(2, {run_of(PimOp::kWrGb)}));
  const auto completions = drain(controller);
  ASSERT_EQ(completions.size(), 2U);
  EXPECT_EQ(completions[0].when.count, 20 + 6 * 9 + 30);
  EXPECT_EQ(completions[1].id, 2U);
  EXPECT_EQ(completions[1].when.count, 20 + 6 * 9 + 30) << "results come back in order";
}

TEST(Kernel, AnEmptyKernelIsCompleteWhenItArrives) {
  ChannelController controller(controller_5200());
  controller.advance({9});
  controller.push(kernel_request(1, {}, {9}));
  const auto completions = controller.take_completions();
  ASSERT_EQ(completions.size(), 1U);
  EXPECT_EQ(completions[0].when.count, 9);
  EXPECT_FALSE(controller.has_work());
}

TEST(Kernel, ABarrierWaitsForCompletionNotForIssue) {
  ChannelController controller(with_unit_latencies());
  CommandLog log;
  controller.set_observer(&log);
  controller.push(kernel_request(1, {mac_run(1, 2), run_of(PimOp::kBarrier), mac_run(1, 1)}));
  drain(controller);
  // MAC at 20 and 26; the result of the second is there at 56, and the third goes at 57.
  EXPECT_EQ(log.cycles_of(Cmd::MACab), (std::vector<std::int64_t>{20, 26, 57}));
}

TEST(Kernel, ATrailingBarrierEndsWithTheKernel) {
  ChannelController controller(with_unit_latencies());
  controller.push(kernel_request(1, {mac_run(1, 1), run_of(PimOp::kBarrier)}));
  const auto completions = drain(controller);
  ASSERT_EQ(completions.size(), 1U);
  EXPECT_EQ(completions[0].when.count, 50);
}

TEST(Kernel, ResultsLeaveTheBanksOnlyWhenTheUnitsAreDone) {
  ChannelController controller(with_unit_latencies());
  CommandLog log;
  controller.set_observer(&log);
  controller.push(kernel_request(1, {mac_run(1, 4), run_of(PimOp::kMvSb, 4)}));
  const auto completions = drain(controller);
  // The last MAC goes at 38. Moves of one bank group are nCCDL 4 apart, 7 clocks under way.
  EXPECT_EQ(log.cycles_of(Cmd::MVSB), (std::vector<std::int64_t>{68, 72, 76, 80}));
  EXPECT_EQ(completions[0].when.count, 87);
}

TEST(Kernel, SoftmaxWaitsForItsInputsAndWhatUsesItWaitsForSoftmax) {
  ChannelController controller(with_unit_latencies());
  CommandLog log;
  controller.set_observer(&log);
  controller.push(kernel_request(1, {run_of(PimOp::kMvSb, 2), run_of(PimOp::kSfm),
                                     run_of(PimOp::kBarrier), run_of(PimOp::kMvGb)}));
  drain(controller);
  // Moves at 1 and 5, the second there at 12; softmax at 13, done at 113; its results move at 114.
  EXPECT_EQ(log.cycles_of(Cmd::SFM), (std::vector<std::int64_t>{13}));
  EXPECT_EQ(log.cycles_of(Cmd::MVGB), (std::vector<std::int64_t>{114}));
}

TEST(Kernel, TheNextRowOpensWhileResultsAreMoved) {
  ChannelController controller(with_unit_latencies());
  CommandLog log;
  controller.set_observer(&log);
  controller.push(kernel_request(1, {mac_run(1, 8), run_of(PimOp::kMvSb, 8), mac_run(2, 1)}));
  drain(controller);
  // Last MAC at 62: the row closes nRTP later and the next is open before the moves, from 92 on.
  EXPECT_EQ(log.cycles_of(Cmd::PREab), (std::vector<std::int64_t>{70}));
  EXPECT_EQ(log.cycles_of(Cmd::ACTab), (std::vector<std::int64_t>{1, 89}));
  EXPECT_EQ(log.cycles_of(Cmd::MVSB).front(), 92);
  EXPECT_EQ(log.cycles_of(Cmd::MACab).back(), 92 + 7 * 4 + 1);
}

TEST(Kernel, ReadsAreCompleteWithTheirDataAndWritesWhenItIsTaken) {
  ChannelController controller(controller_5200());
  HostRequest write = read_request(2, {0, 0, 1, 0}, 1);
  write.op = HostOp::kWrite;
  controller.push(read_request(1, {}, 1));
  controller.push(write);
  const auto completions = drain(controller);
  ASSERT_EQ(completions.size(), 2U);
  EXPECT_EQ(completions[0].when.count, 20 + 19 + 2);
  // Read to write: nCL 19 + nBL 2 + nRTW 3 - nCWL 6 = 18 after the read at 20.
  EXPECT_EQ(completions[1].when.count, 38 + 6 + 2);
}

TEST(Kernel, CountsHitsAndMissesByWhoOpenedTheRow) {
  ChannelController controller(controller_5200());
  controller.push(kernel_request(1, {mac_run(1, 10), mac_run(1, 5), mac_run(2, 3)}));
  drain(controller);
  EXPECT_EQ(controller.stats().pim_column_misses, 2);
  EXPECT_EQ(controller.stats().pim_column_hits, 16);
}

}  // namespace
}  // namespace lockstep
