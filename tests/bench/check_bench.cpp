// Lines a second of the command checker, on what a controller with all-bank refresh issues: MACab
// over 64 banks, or single-bank reads.
#include <fstream>
#include <sstream>

#include <benchmark/benchmark.h>

#include "tests/sim/check/check_stack.h"

namespace lockstep {
namespace {

constexpr std::int64_t kLines = 200'000;

StackConfig widest() {
  StackConfig config = check_stack();
  set_scope(config, AllBankScope::kChannel, StackIdScope::kAll, 2);
  return config;
}

// Rows of 32 MACab over 64 banks.
std::vector<Written> all_bank() {
  std::vector<Written> commands;
  for (std::int64_t at = 0; static_cast<std::int64_t>(commands.size()) < kLines; at += 300) {
    commands.push_back({at, "ACTab", -1, -1, 5, 0});
    for (int i = 0; i < 32; ++i) commands.push_back({at + 19 + 6 * i, "MACab", -1, -1, 5, 0});
    commands.push_back({at + 240, "PREab", -1, -1, -1, 0});
  }
  return commands;
}

std::vector<Written> reads() {
  std::vector<Written> commands;
  for (std::int64_t at = 0; static_cast<std::int64_t>(commands.size()) < kLines; at += 300) {
    for (int g = 0; g < 4; ++g) commands.push_back({at + 4 * g, "ACT", g, 0, 5, 0});
    for (int i = 0; i < 32; ++i) commands.push_back({at + 40 + 4 * i, "RD", i % 4, 0, 5, 0});
    for (int g = 0; g < 4; ++g) commands.push_back({at + 200 + 4 * g, "PREpb", g, 0, -1, 0});
  }
  return commands;
}

void check(benchmark::State& state, const std::vector<Written>& commands) {
  const StackConfig config = widest();
  const std::string csv = csv_of(commands, config);
  for (auto _ : state) {
    if (check_text(csv, config).violations != 0) state.SkipWithError("the trace breaks a rule");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * commands.size()));
}

BENCHMARK_CAPTURE(check, all_bank, all_bank());
BENCHMARK_CAPTURE(check, reads, reads());

}  // namespace
}  // namespace lockstep
