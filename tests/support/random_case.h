// A random controller and what is asked of it, from a seed. Intervals are short, so that refreshes,
// slices and age limits come into play within a few thousand clocks.
#pragma once

#include <random>
#include <variant>

#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  // From `least` to `most`, both included.
  std::int64_t roll(std::int64_t least, std::int64_t most) {
    const auto sides = static_cast<std::uint64_t>(most - least + 1);
    return least + static_cast<std::int64_t>(engine_() % sides);
  }
  int small(int least, int most) { return static_cast<int>(roll(least, most)); }
  Cycles clocks(std::int64_t least, std::int64_t most) { return {roll(least, most)}; }
  bool one_in(std::int64_t n) { return roll(1, n) == 1; }
  template <typename T, std::size_t N>
  const T& any_of(const T (&choices)[N]) {
    return choices[static_cast<std::size_t>(roll(0, static_cast<std::int64_t>(N) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

inline Topology random_topology(Dice& dice) {
  constexpr Topology kTopologies[] = {
      {1, 1, 4, 4, Level::kPseudoChannel}, {1, 2, 4, 4, Level::kPseudoChannel},
      {1, 2, 4, 4, Level::kSid},           {2, 1, 4, 4, Level::kDomain},
      {2, 2, 4, 4, Level::kDomain},        {1, 1, 2, 2, Level::kPseudoChannel},
  };
  return dice.any_of(kTopologies);
}

inline ControllerConfig random_config(Dice& dice, const Topology& topology) {
  constexpr RefreshMode kModes[] = {RefreshMode::kNone, RefreshMode::kAllBank,
                                    RefreshMode::kPerBank};
  constexpr Arbitration kOrders[] = {Arbitration::kPimFirst, Arbitration::kHostFirst,
                                     Arbitration::kTimeSlice};
  auto config = controller_5200(topology);
  auto& [dram, pim, banks_in_lockstep] = config.timing;
  config.refresh = {dice.any_of(kModes), dice.small(0, 8), dice.small(0, 8)};
  dram.nRFC = dice.clocks(30, 456);
  pim.act_ab = dice.one_in(4) ? ActAbPower::kStaggered : ActAbPower::kSimultaneous;
  // Between two refreshes a row must be able to open and be read, however long ACTab takes.
  dram.nREFI = dram.nRFC + config.timing.act_ab_spread() + dice.clocks(300, 2000);
  dram.nRFCpb = dice.clocks(10, 60);
  if (config.refresh.mode == RefreshMode::kPerBank) {
    // Every bank in turn, and a row visit between two of them: all-bank work would never get on.
    const int banks = config.topology.count(Level::kBank) / config.topology.pseudo_channels;
    dram.nREFI = banks * config.topology.pseudo_channels *
                 (config.timing.act_ab_spread() + dice.clocks(500, 900));
  }
  pim.n_mac_latency = dice.clocks(0, 40);
  pim.n_move_latency = dice.clocks(0, 20);
  pim.n_softmax_latency = dice.clocks(0, 200);
  if (dice.one_in(2)) pim.n_mode_switch = dice.clocks(1, 60);
  config.page_policy = dice.one_in(3) ? PagePolicy::kClosed : PagePolicy::kOpen;
  config.arbitration = dice.any_of(kOrders);
  config.time_slice = dice.clocks(1, 500);
  config.age_limit = dice.clocks(50, 2000);
  config.host_window = dice.small(1, 64);
  if (dice.one_in(2)) {
    config.write_drain.high = dice.small(1, config.host_window);
    config.write_drain.low = dice.small(0, config.write_drain.high - 1);
  }
  return config;
}

inline BankAddress random_bank(Dice& dice, const Topology& topology) {
  return topology.address(dice.small(0, topology.count(Level::kBank) - 1));
}

inline HostRequest random_access(Dice& dice, const Topology& topology) {
  HostRequest request;
  request.op = dice.one_in(3) ? HostOp::kWrite : HostOp::kRead;
  request.at = random_bank(dice, topology);
  if (dice.one_in(2)) request.at = topology.address(0);
  request.row = dice.small(0, 3);
  request.column = dice.small(0, 31);
  return request;
}

inline PimRun random_run(Dice& dice, const Topology& topology) {
  PimRun run = run_of(dice.one_in(2) ? PimOp::kMacAb
                                     : kPimOps[static_cast<std::size_t>(dice.roll(0, 6))].op);
  const BankAddress at = random_bank(dice, topology);
  run.pseudo_channel = static_cast<std::uint8_t>(at.pseudo_channel);
  run.stack_id = static_cast<std::uint8_t>(at.stack_id);
  run.bank_group = static_cast<std::uint8_t>(at.bank_group);
  run.bank = static_cast<std::uint8_t>(at.bank);
  run.row = dice.small(0, 3);
  if (run.op == PimOp::kBarrier || run.op == PimOp::kSfm) return run;
  run.columns = dice.small(1, dice.one_in(8) ? 300 : 32);
  run.repeats = dice.one_in(4) ? dice.small(2, 4) : 1;
  return run;
}

// What is asked, in order of arrival; ids count up from 0.
using Request = std::variant<HostRequest, KernelRequest>;
inline std::vector<Request> random_requests(Dice& dice, const Topology& topology) {
  std::vector<Request> requests;
  Cycles arrival;
  const int count = dice.small(1, 24);
  const std::int64_t host_share = dice.roll(1, 4);
  for (std::uint64_t id = 0; id < static_cast<std::uint64_t>(count); ++id) {
    if (!dice.one_in(3)) arrival += dice.clocks(0, dice.one_in(4) ? 1500 : 60);
    if (dice.roll(0, 4) < host_share) {
      auto request = random_access(dice, topology);
      request.id = id;
      request.arrival = arrival;
      requests.emplace_back(request);
      continue;
    }
    PimKernel runs;
    const int length = dice.small(0, 6);
    for (int i = 0; i < length; ++i) runs.push_back(random_run(dice, topology));
    requests.emplace_back(kernel_request(id, std::move(runs), arrival));
  }
  return requests;
}

}  // namespace lockstep
