// Requests that arrive at a stack while it is at work, over TLM: both levels respond in the same
// clocks, in the same order, and end in the same state.
#include <algorithm>
#include <memory>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/support/stacks.h"
#include "tests/tlm/probe.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kSeed = 20'260'404;
constexpr int kCases = 200;

struct Side {
  Side(const std::string& name, const StackConfig& config, Detail detail)
      : stack(("stack_" + name).c_str(), config, detail), probe(("probe_" + name).c_str(), stack) {}

  HbmStack stack;
  Probe probe;
  std::vector<tlm::tlm_generic_payload*> sent;
};

struct Case {
  explicit Case(int number)
      : dice(kSeed + static_cast<std::uint64_t>(number)),
        config(random_stack(dice)),
        command(std::to_string(number) + "_command", config, Detail::kCommand),
        stream(std::to_string(number) + "_stream", config, Detail::kStream) {}

  bool done() const {
    return command.probe.responses().size() == command.sent.size() &&
           stream.probe.responses().size() == stream.sent.size();
  }

  Dice dice;
  StackConfig config;
  Side command;
  Side stream;
};

// Sends one random request to both, to arrive at `arrival`.
void send_random(Case& tested, Cycles arrival) {
  auto& dice = tested.dice;
  const auto delay = tested.command.stack.clock().instant(arrival);
  if (dice.one_in(2)) {
    const auto columns = tested.config.geometry.capacity().count / 32;
    const auto address = static_cast<std::uint64_t>(32 * dice.roll(0, columns - 1));
    for (Side* side : {&tested.command, &tested.stream}) {
      side->sent.push_back(&side->probe.read(address));
      side->probe.send(*side->sent.back(), delay);
    }
    return;
  }
  PimKernel runs;
  const int length = dice.small(0, 4);
  for (int i = 0; i < length; ++i)
    runs.push_back(random_run(dice, tested.config.controller.topology));
  const int domain = dice.small(0, tested.config.domains() - 1);
  for (Side* side : {&tested.command, &tested.stream}) {
    side->sent.push_back(&side->probe.kernel(domain, runs));
    side->probe.send_kernel(*side->sent.back(), delay);
  }
}

// Where in `sent` each response belongs, with its time.
std::vector<std::pair<std::ptrdiff_t, std::uint64_t>> story_of(const Side& side) {
  std::vector<std::pair<std::ptrdiff_t, std::uint64_t>> story;
  for (const auto& response : side.probe.responses()) {
    const auto position = std::find(side.sent.begin(), side.sent.end(), response.trans);
    story.emplace_back(position - side.sent.begin(), response.when.value());
  }
  // Domains that respond in one instant do so in any order.
  std::sort(story.begin(), story.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second, a.first) < std::tie(b.second, b.first);
  });
  return story;
}

TEST(Arrivals, DuringWorkEndInTheSameClocksAndStateAtBothLevels) {
  std::vector<std::unique_ptr<Case>> cases;
  for (int number = 0; number < kCases; ++number) cases.push_back(std::make_unique<Case>(number));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const auto& tested : cases) {
    Cycles arrival;
    const int requests = tested->dice.small(1, 40);
    for (int i = 0; i < requests; ++i) {
      arrival += tested->dice.clocks(0, tested->dice.one_in(5) ? 1000 : 80);
      send_random(*tested, arrival);
    }
  }
  const auto all_done = [&] {
    return std::all_of(cases.begin(), cases.end(), [](const auto& c) { return c->done(); });
  };
  for (int slice = 0; slice < 2000 && !all_done(); ++slice) {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  }
  for (int number = 0; number < kCases; ++number) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", case " + std::to_string(number));
    Case& tested = *cases[static_cast<std::size_t>(number)];
    ASSERT_TRUE(tested.done()) << tested.command.sent.size()
                               << " sent, responses: " << tested.command.probe.responses().size()
                               << " at command level, " << tested.stream.probe.responses().size()
                               << " at stream level";
    EXPECT_EQ(story_of(tested.command), story_of(tested.stream));
    tested.command.stack.finish();
    tested.stream.stack.finish();
    for (int domain = 0; domain < tested.config.domains(); ++domain) {
      EXPECT_TRUE(tested.command.stack.controller(domain) ==
                  tested.stream.stack.controller(domain));
    }
  }
}

}  // namespace
}  // namespace lockstep
