// One attention pass of 256 tokens and one head on all 16 banks of a channel: the units of the
// model, and the RTL on a stack in SystemC, see the same in the same clocks. What a testbench sees
// is tests/sim/cosim_test.py.
#include "sim/cosim/cosim.h"

#include <gtest/gtest.h>

#include "hw/pim/mac_model.h"
#include "hw/stack/direct_stack.h"
#include "sim/attention/verify_attention.h"
#include "sim/run/system.h"
#include "tests/sim/cosim/replays.h"

namespace lockstep {
namespace {

CosimConfig config_with(const std::vector<std::string>& overrides = {}) {
  return load_cosim_config({LOCKSTEP_SOURCE_DIR "/configs/cosim-bank-mac.yaml", overrides, {}});
}

VerifyOutcome run_pass(const CosimConfig& config, StackPort& port) {
  std::int64_t first_pass = 0;
  return run_verify_case(pass_case(config.pass, 0), config.stack, port, first_pass);
}

// The kernel elaborates once, so each depth is a test.
void compare_traces(int stages) {
  const CosimConfig config = config_with({"pim.unit_stages=" + std::to_string(stages)});
  const UnitClock clock{config.stack.unit_period(), 1};
  const auto& unit = config.stack.bank_unit;

  Replays models(clock, [&] { return std::make_unique<MacModel>(unit); });
  DirectStack direct(config.stack);
  direct.observe_units(&models);
  const auto of_model = run_pass(config, direct);

  Replays rtl(clock, [&] { return make_rtl_unit(unit); });
  VerifyOutcome of_rtl;
  System system("cosim", config.stack, Detail::kCommand, make_mac_model,
                [&](StackPort& port) { of_rtl = run_pass(config, port); });
  system.stack().observe_units(&rtl);
  system.run();

  const auto want = models.finish();
  EXPECT_EQ(want.size(), 16U);
  for (const auto& [bank, trace] : want) EXPECT_GT(trace.size(), 30'000U) << bank;
  EXPECT_TRUE(want == rtl.finish());
  EXPECT_EQ(rtl.counts().late, 0);
  EXPECT_EQ(of_model.digest, of_rtl.digest);
}

TEST(Cosim, ModelAndSystemCWithRtlHaveTheSameTracesAtDepth1) {
  compare_traces(1);
}
TEST(Cosim, ModelAndSystemCWithRtlHaveTheSameTracesAtDepth3) {
  compare_traces(3);
}
TEST(Cosim, ModelAndSystemCWithRtlHaveTheSameTracesAtDepth6) {
  compare_traces(6);
}

// The functional run with RTL in place of the models.
TEST(Cosim, OutputOfRtlIsThatOfTheModels) {
  const CosimConfig config = config_with();
  DirectStack models(config.stack);
  const auto want = run_pass(config, models);
  for (const BankUnitKind kind : {BankUnitKind::kRtl, BankUnitKind::kLockstep}) {
    BankUnitChoice choice;
    choice.everywhere = kind;
    DirectStack rtl(config.stack, make_unit_factory(choice));
    EXPECT_EQ(run_pass(config, rtl).digest, want.digest);
  }
}

TEST(Cosim, TheStackWaitsForAUnitAsLongAsTheTimingTableSays) {
  for (const MacTiming& row : kMacTimings) {
    const auto config = config_with({"pim.unit_stages=" + std::to_string(row.depth)});
    const TimingSet& timing = config.stack.controller.timing;
    EXPECT_EQ(timing.pim.n_mac_latency, row.issue_to_drain.count * timing.dram.nCCDAB);
    const auto switching =
        config_with({"pim.unit_stages=" + std::to_string(row.depth), "pim.mode_switch=unit"});
    EXPECT_EQ(switching.stack.controller.timing.pim.n_mode_switch,
              row.issue_to_mode_switch.count * timing.dram.nCCDAB);
    EXPECT_LE(row.scalars_to_axpy.count * timing.dram.nCCDAB.count,
              timing.pim.n_move_latency.count);
    EXPECT_EQ(row.issue_to_issue.count, 1) << "a MAC command every nCCDAB";
  }
}

}  // namespace
}  // namespace lockstep
