// What the model's own controllers issue keeps every rule of the checker, under all scopes, refresh
// modes, page policies and arbitrations, with random kernels and host requests.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/channel/channel_controller.h"
#include "hw/stack/channel_recorder.h"
#include "tests/sim/check/check_stack.h"
#include "tlm/contract/command_csv.h"

namespace lockstep {
namespace {

enum class Feed { kKernels, kHost, kMixed };

struct Setup {
  const char* name;
  AllBankScope all_banks;
  StackIdScope stack_ids;
  int sids;
  RefreshMode refresh;
  int postpone;
  int pull_in;
  PagePolicy pages;
  Arbitration arbitration;
  ActAbPower act_ab;
  std::int64_t mode_switch;
  Feed feed;
  RowOverlap overlap = RowOverlap::kNone;
  int pim_window = 1;
};

constexpr auto kPc = AllBankScope::kPseudoChannel;
constexpr auto kCh = AllBankScope::kChannel;
constexpr auto kAll = StackIdScope::kAll;
constexpr auto kOne = StackIdScope::kOne;

const Setup kSetups[] = {
    // clang-format off
    {"kernels alone",          kPc, kAll, 1, RefreshMode::kNone,    0, 0, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kSimultaneous, 0,  Feed::kKernels},
    {"kernels, refresh",       kPc, kAll, 1, RefreshMode::kAllBank, 8, 8, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kStaggered,    0,  Feed::kKernels},
    {"kernels over a channel", kCh, kAll, 2, RefreshMode::kAllBank, 0, 0, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kSimultaneous, 0,  Feed::kKernels},
    {"kernels on one SID",     kPc, kOne, 2, RefreshMode::kAllBank, 1, 1, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kStaggered,    0,  Feed::kKernels},
    {"kernels, REFpb",         kPc, kAll, 1, RefreshMode::kPerBank, 0, 0, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kSimultaneous, 0,  Feed::kKernels},
    {"host, open pages",       kPc, kAll, 2, RefreshMode::kAllBank, 4, 0, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kSimultaneous, 0,  Feed::kHost},
    {"host, closed pages",     kCh, kAll, 2, RefreshMode::kAllBank, 0, 0, PagePolicy::kClosed, Arbitration::kHostFirst, ActAbPower::kSimultaneous, 0,  Feed::kHost},
    {"host, REFpb",            kPc, kAll, 1, RefreshMode::kPerBank, 0, 0, PagePolicy::kOpen,   Arbitration::kHostFirst, ActAbPower::kSimultaneous, 0,  Feed::kHost},
    {"host, REFpb, two SIDs",  kPc, kAll, 2, RefreshMode::kPerBank, 8, 2, PagePolicy::kClosed, Arbitration::kHostFirst, ActAbPower::kSimultaneous, 0,  Feed::kHost},
    {"mixed, PIM first",       kPc, kAll, 1, RefreshMode::kAllBank, 0, 0, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kSimultaneous, 0,  Feed::kMixed},
    {"mixed, host first",      kPc, kAll, 2, RefreshMode::kAllBank, 2, 0, PagePolicy::kClosed, Arbitration::kHostFirst, ActAbPower::kStaggered,    12, Feed::kMixed},
    {"mixed, slices",          kCh, kAll, 1, RefreshMode::kAllBank, 0, 4, PagePolicy::kOpen,   Arbitration::kTimeSlice, ActAbPower::kSimultaneous, 5,  Feed::kMixed},
    {"mixed on one SID",       kPc, kOne, 2, RefreshMode::kNone,    0, 0, PagePolicy::kOpen,   Arbitration::kTimeSlice, ActAbPower::kSimultaneous, 0,  Feed::kMixed},
    {"mixed on one SID, staggered", kPc, kOne, 2, RefreshMode::kAllBank, 0, 0, PagePolicy::kOpen, Arbitration::kTimeSlice, ActAbPower::kStaggered, 3,  Feed::kMixed},
    {"kernels, two row buffers", kPc, kAll, 1, RefreshMode::kAllBank, 0, 0, PagePolicy::kOpen, Arbitration::kPimFirst, ActAbPower::kSimultaneous, 0, Feed::kKernels, RowOverlap::kDualRowBuffer},
    {"kernels, look ahead",    kPc, kAll, 1, RefreshMode::kAllBank, 0, 0, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kSimultaneous, 0,  Feed::kKernels, RowOverlap::kNone, 8},
    {"mixed, two row buffers", kPc, kAll, 1, RefreshMode::kAllBank, 0, 0, PagePolicy::kOpen,   Arbitration::kTimeSlice, ActAbPower::kSimultaneous, 0,  Feed::kMixed,   RowOverlap::kDualRowBuffer, 4},
    {"kernels on halves",      kPc, kAll, 1, RefreshMode::kAllBank, 0, 0, PagePolicy::kOpen,   Arbitration::kPimFirst,  ActAbPower::kSimultaneous, 0,  Feed::kKernels, RowOverlap::kHalfScope, 4},
    {"mixed on halves",        kPc, kAll, 1, RefreshMode::kAllBank, 0, 0, PagePolicy::kOpen,   Arbitration::kHostFirst, ActAbPower::kSimultaneous, 0,  Feed::kMixed,   RowOverlap::kHalfScope},
    {"host on halves",         kPc, kAll, 1, RefreshMode::kPerBank, 0, 0, PagePolicy::kOpen,   Arbitration::kHostFirst, ActAbPower::kSimultaneous, 0,  Feed::kHost,    RowOverlap::kHalfScope},
    // clang-format on
};

StackConfig config_of(const Setup& setup) {
  StackConfig config = check_stack();
  config.controller.timing.pim.overlap = setup.overlap;
  config.controller.pim_window = setup.pim_window;
  set_scope(config, setup.all_banks, setup.stack_ids, setup.sids);
  config.controller.timing.pim.act_ab = setup.act_ab;
  config.controller.timing.pim.n_mode_switch = {setup.mode_switch};
  config.controller.refresh = {setup.refresh, setup.postpone, setup.pull_in};
  config.controller.page_policy = setup.pages;
  config.controller.arbitration = setup.arbitration;
  return config;
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  int below(int count) { return static_cast<int>(random_() % static_cast<std::uint64_t>(count)); }

 private:
  std::mt19937_64 random_;
};

PimRun random_run(Dice& dice, const StackConfig& config) {
  PimRun run;
  run.op = static_cast<PimOp>(dice.below(static_cast<int>(kPimOpCount)));
  const bool mac = run.op == PimOp::kMacAb || run.op == PimOp::kMacSb;
  run.pseudo_channel = static_cast<std::uint8_t>(dice.below(config.channels_per_domain()));
  run.stack_id = static_cast<std::uint8_t>(dice.below(config.controller.topology.stack_ids));
  run.bank_group = static_cast<std::uint8_t>(dice.below(config.controller.topology.bank_groups));
  run.bank = static_cast<std::uint8_t>(dice.below(config.geometry.banks));
  run.row = dice.below(3);
  run.columns = mac ? 1 + dice.below(32) : 1 + dice.below(4);
  run.repeats = mac ? 1 + dice.below(3) : 1;
  return run;
}

void push_random(Dice& dice, const Setup& setup, const StackConfig& config,
                 ChannelController& controller, Cycles now) {
  const bool kernel =
      setup.feed == Feed::kKernels || (setup.feed == Feed::kMixed && dice.below(4) == 0);
  if (kernel) {
    auto runs = std::make_shared<PimKernel>();
    for (int i = 1 + dice.below(8); i > 0; --i) runs->push_back(random_run(dice, config));
    controller.push(KernelRequest{1, std::move(runs), now});
    return;
  }
  for (int i = 1 + dice.below(12); i > 0; --i) {
    HostRequest request;
    request.op = dice.below(3) == 0 ? HostOp::kWrite : HostOp::kRead;
    request.at = {
        dice.below(config.channels_per_domain()), dice.below(config.controller.topology.stack_ids),
        dice.below(config.controller.topology.bank_groups), dice.below(config.geometry.banks)};
    request.row = dice.below(3);
    request.column = dice.below(32);
    request.arrival = now;
    controller.push(request);
  }
}

// The trace of one controller that is fed now and then, and drained at the end.
std::string trace_of(const Setup& setup, const StackConfig& config, std::uint64_t seed) {
  std::FILE* const file = std::tmpfile();
  {
    CommandCsv csv(file, config.clock);
    ChannelRecorder recorder(config, 1, csv);
    ChannelController controller(config.controller);
    controller.set_observer(&recorder);
    Dice dice(seed);
    Cycles now{0};
    for (int step = 0; step < 150; ++step) {
      now = std::max(now, controller.last_issue()) +
            Cycles{dice.below(dice.below(10) == 0 ? 4000 : 60)};
      controller.advance(now);
      push_random(dice, setup, config, controller, now);
      if (dice.below(3) == 0) controller.advance_to_completion();
      controller.take_completions();
    }
    const Cycles latest = now + Cycles{2'000'000};
    while (controller.has_work() && controller.last_issue() < latest) {
      controller.advance_to_completion();
      controller.take_completions();
    }
    EXPECT_FALSE(controller.has_work()) << "work is left after two million clocks";
    controller.check_identities();
  }
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
  std::fclose(file);
  return text;
}

std::string listed(const CheckReport& report) {
  std::string text;
  for (const auto& violation : report.listed) {
    text += fmt::format("{}: {}\n", violation.line, violation.text);
  }
  return text;
}

class ControllerTraces : public testing::TestWithParam<Setup> {};

TEST_P(ControllerTraces, KeepEveryRule) {
  const StackConfig config = config_of(GetParam());
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto report = check_text(trace_of(GetParam(), config, seed), config);
    EXPECT_GT(report.commands, 300);
    EXPECT_EQ(listed(report), "") << "seed " << seed;
  }
}

std::string test_name(const testing::TestParamInfo<Setup>& setup) {
  std::string name;
  for (const char c : std::string(setup.param.name)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(Setups, ControllerTraces, testing::ValuesIn(kSetups), test_name);

}  // namespace
}  // namespace lockstep
