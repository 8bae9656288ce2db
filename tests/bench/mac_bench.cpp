// Clocks a second of one bank unit: the model, the RTL, and both in lockstep.
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "hw/pim/mac_model.h"
#include "hw/pim/mac_stimulus.h"
#include "rtl/lockstep_mac.h"
#include "rtl/verilated_mac.h"

namespace lockstep {
namespace {

// The stimulus is made beforehand, so that only the unit is measured.
void run(benchmark::State& state, MacUnit& unit, MacMix mix) {
  MacStimulus stimulus(unit.parameters(), mix, 1);
  std::vector<MacStep> steps;
  for (int i = 0; i < 4096; ++i) steps.push_back(stimulus.next());
  std::size_t next = 0;
  for (auto _ : state) {
    const MacStep& step = steps[next++ % steps.size()];
    benchmark::DoNotOptimize(
        unit.clock(step.issues ? &step.issue : nullptr, step.drains ? &step.drain : nullptr));
  }
  state.counters["clocks/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

MacParameters parameters(const benchmark::State& state) {
  MacParameters made;
  made.queries = 8;
  made.depth = static_cast<int>(state.range(0));
  return made;
}

void model(benchmark::State& state) {
  MacModel unit(parameters(state));
  run(state, unit, MacMix::kAll);
}
BENCHMARK(model)->Arg(1)->Arg(6);

void rtl(benchmark::State& state) {
  VerilatedMac unit(parameters(state));
  run(state, unit, MacMix::kAll);
}
BENCHMARK(rtl)->Arg(1)->Arg(3)->Arg(6);

template <MacMix kMix>
void lockstep(benchmark::State& state) {
  LockstepMac unit(std::make_unique<MacModel>(parameters(state)),
                   std::make_unique<VerilatedMac>(parameters(state)));
  run(state, unit, kMix);
}
BENCHMARK_TEMPLATE(lockstep, MacMix::kDot)->Arg(1)->Arg(3)->Arg(6);
BENCHMARK_TEMPLATE(lockstep, MacMix::kAxpy)->Arg(1)->Arg(3)->Arg(6);
BENCHMARK_TEMPLATE(lockstep, MacMix::kAll)->Arg(1)->Arg(3)->Arg(6);

}  // namespace
}  // namespace lockstep
