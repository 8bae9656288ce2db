// What a command costs in each trace format; argument: index in kTraceWriters. And the canonical
// CSV into nowhere, which is what tracing adds to a run before the disk.
#include <cstdio>
#include <filesystem>

#include <benchmark/benchmark.h>

#include "sim/traces/trace_writers.h"
#include "tests/sim/traces/sample_commands.h"
#include "tlm/contract/command_csv.h"

namespace lockstep {
namespace {

void per_command(benchmark::State& state, std::size_t commands) {
  const auto total = static_cast<double>(state.iterations()) * static_cast<double>(commands);
  state.counters["per_command"] =
      benchmark::Counter(total, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void format(benchmark::State& state) {
  const auto& writer = kTraceWriters[static_cast<std::size_t>(state.range(0))];
  const StackConfig config = sample_stack();
  const auto commands = sample_commands(config);
  constexpr std::size_t kRepeats = 50;
  for (auto _ : state) {
    const TemporaryFile file(std::string(writer.extension));
    const auto trace = writer.make(file.path(), config);
    for (std::size_t i = 0; i < kRepeats; ++i) {
      for (const auto& command : commands) trace->record(command);
    }
    trace->close();
  }
  state.SetLabel(std::string(writer.name));
  per_command(state, commands.size() * kRepeats);
}

void csv_to_nowhere(benchmark::State& state) {
  const auto commands = sample_commands(sample_stack());
  std::FILE* const nowhere = std::fopen("/dev/null", "wb");
  {
    CommandCsv csv(nowhere, sample_stack().clock);
    for (auto _ : state) {
      for (const auto& command : commands) csv.record(command);
    }
  }
  std::fclose(nowhere);
  per_command(state, commands.size());
}

BENCHMARK(csv_to_nowhere);
BENCHMARK(format)->DenseRange(0, static_cast<int>(std::size(kTraceWriters)) - 1);

}  // namespace
}  // namespace lockstep
