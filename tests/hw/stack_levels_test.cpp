// A stack at command level, one at stream level and one without the SystemC kernel do the same for
// random programs. All stacks live side by side in one elaboration: they must not disturb one
// another.
#include <algorithm>

#include <gtest/gtest.h>

#include "firmware/host/host.h"
#include "hw/stack/direct_stack.h"
#include "hw/stack/hbm_stack.h"
#include "tests/support/stacks.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kSeed = 20'260'202;
constexpr int kCases = 150;

// A stack of SystemC modules, its host, and what the host saw.
struct Simulated {
  Simulated(const std::string& name, const StackConfig& config, Detail detail,
            const std::vector<ProgramStep>& program)
      : stack(("stack_" + name).c_str(), config, detail),
        host(("host_" + name).c_str(), stack.clock(), stack.domains(),
             static_cast<std::int64_t>(interleave(config.map)),
             [this, program](StackPort& port) { ends = run_program(program, port); }) {
    host.host_initiator_socket.bind(stack.bus().host_target_socket);
    host.pim_initiator_socket.bind(stack.bus().pim_target_socket);
  }

  static std::uint64_t interleave(const AddressMap& map) {
    const std::uint64_t channel = map.mask(Coordinate::kChannel);
    return channel & (~channel + 1);
  }

  HbmStack stack;
  Host host;
  std::vector<std::int64_t> ends;
};

struct Case {
  explicit Case(int number)
      : dice(kSeed + static_cast<std::uint64_t>(number)),
        config(random_stack(dice)),
        program(random_program(dice, config)),
        command(std::to_string(number) + "_command", config, Detail::kCommand, program),
        stream(std::to_string(number) + "_stream", config, Detail::kStream, program),
        direct(config) {}

  bool done() const { return command.host.done() && stream.host.done(); }

  Dice dice;
  StackConfig config;
  std::vector<ProgramStep> program;
  Simulated command;
  Simulated stream;
  DirectStack direct;
};

void expect_equal(Case& tested) {
  ASSERT_TRUE(tested.done());
  const auto ends = run_program(tested.program, tested.direct);
  EXPECT_EQ(tested.command.ends, ends);
  EXPECT_EQ(tested.stream.ends, ends);
  // The simulation has gone on, and with it refresh: so does the stack without a kernel.
  tested.command.stack.finish();
  tested.stream.stack.finish();
  tested.direct.wait(tested.command.stack.clock().now() - tested.direct.now());
  run_program({ProgramStep{}}, tested.direct);
  tested.direct.check_identities();
  for (int domain = 0; domain < tested.config.domains(); ++domain) {
    const auto& one = tested.command.stack.controller(domain);
    EXPECT_TRUE(one.stats() == tested.direct.controller(domain).stats());
    EXPECT_TRUE(one == tested.direct.controller(domain));
    EXPECT_TRUE(one == tested.stream.stack.controller(domain));
  }
}

TEST(StackLevels, EndInTheSameClocksCountersAndStateForRandomPrograms) {
  std::vector<std::unique_ptr<Case>> cases;
  for (int number = 0; number < kCases; ++number) cases.push_back(std::make_unique<Case>(number));
  const auto all_done = [&] {
    return std::all_of(cases.begin(), cases.end(), [](const auto& c) { return c->done(); });
  };
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const auto& c : cases) {
    c->command.host.start();
    c->stream.host.start();
  }
  for (int slice = 0; slice < 10'000 && !all_done(); ++slice) {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  }
  for (int number = 0; number < kCases; ++number) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", case " + std::to_string(number));
    expect_equal(*cases[static_cast<std::size_t>(number)]);
  }
}

}  // namespace
}  // namespace lockstep
