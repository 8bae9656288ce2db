// Small stacks for tests, and random programs for their hosts.
#pragma once

#include "hw/stack/stack_config.h"
#include "tests/support/random_case.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

// Two channels of two pseudo channels, 64 rows a bank, at 1.3 GHz; a domain is a pseudo channel, or
// a channel when `scope` says so. Columns of one row go to neighbouring addresses.
inline StackConfig small_stack(AllBankScope scope = AllBankScope::kPseudoChannel) {
  StackGeometry geometry;
  geometry.channels = 2;
  geometry.rows = 64;
  StackConfig config{geometry,
                     std::get<AddressMap>(AddressMap::parse("host-centric", geometry)),
                     Hertz{1'300'000'000},
                     scope,
                     StackIdScope::kAll,
                     {}};
  const bool channel = scope == AllBankScope::kChannel;
  config.controller =
      controller_5200({channel ? 2 : 1, 1, 4, 4, channel ? Level::kDomain : Level::kPseudoChannel});
  return config;
}

// A small stack whose controllers are random.
inline StackConfig random_stack(Dice& dice) {
  auto config = small_stack(dice.one_in(2) ? AllBankScope::kChannel : AllBankScope::kPseudoChannel);
  const auto topology = config.controller.topology;
  config.controller = random_config(dice, topology);
  constexpr const char* kMaps[] = {"host-cacheline", "host-centric", "pim-friendly"};
  config.map = std::get<AddressMap>(AddressMap::parse(dice.any_of(kMaps), config.geometry));
  return config;
}

// What a host does in one step: it waits, then sends everything at once.
struct ProgramStep {
  Cycles wait;
  std::vector<DomainKernel> kernels;
  std::vector<HostAccess> accesses;
};

inline std::vector<ProgramStep> random_program(Dice& dice, const StackConfig& config) {
  std::vector<ProgramStep> program(static_cast<std::size_t>(dice.roll(1, 6)));
  const auto capacity = config.geometry.capacity().count;
  for (auto& step : program) {
    if (!dice.one_in(4)) step.wait = dice.clocks(0, 3000);
    PimKernel runs;
    const int length = dice.small(0, 5);
    for (int i = 0; i < length; ++i) runs.push_back(random_run(dice, config.controller.topology));
    const auto shared = std::make_shared<const PimKernel>(runs);
    for (int domain = 0; domain < config.domains(); ++domain) {
      if (dice.one_in(4)) continue;
      step.kernels.push_back({domain, shared});
    }
    const int accesses = dice.one_in(2) ? 0 : dice.small(1, 12);
    for (int i = 0; i < accesses; ++i) {
      const auto bytes = dice.roll(1, 300);
      const auto address = static_cast<std::uint64_t>(dice.roll(0, capacity - bytes));
      step.accesses.push_back(
          {dice.one_in(3) ? AccessKind::kWrite : AccessKind::kRead, address, bytes});
    }
  }
  return program;
}

// Runs `program`; the clock at the end of each step.
inline std::vector<std::int64_t> run_program(const std::vector<ProgramStep>& program,
                                             StackPort& port) {
  std::vector<std::int64_t> ends;
  for (const auto& step : program) {
    if (step.wait > Cycles{0}) port.wait(step.wait);
    port.execute(step.kernels, step.accesses);
    ends.push_back(port.now().count);
  }
  return ends;
}

}  // namespace lockstep
