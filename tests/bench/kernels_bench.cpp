// What it costs to keep score and kernels of a growing sequence: ns per appended token, ns per
// token of a rebuilt table. Arguments: index in kAddressMaps, bytes per token.
#include <random>

#include <benchmark/benchmark.h>

#include "firmware/kernels/sequence_stream.h"

namespace lockstep {
namespace {

constexpr StackGeometry kStack{};
constexpr std::int64_t kBlockTokens = 16;
constexpr std::int64_t kSequenceTokens = 352;
constexpr Reorder kWindow{ReorderMode::kWindow, 64};

KvLayout layout_of(const benchmark::State& state) {
  const auto name = kAddressMaps[static_cast<std::size_t>(state.range(0))].name;
  return {std::get<AddressMap>(AddressMap::parse(name, kStack)),
          kStack,
          {kBlockTokens, state.range(1)}};
}

std::vector<BlockId> scattered_table() {
  std::mt19937_64 random(1);
  std::vector<BlockId> table;
  for (std::int64_t i = 0; i < kSequenceTokens / kBlockTokens; ++i) {
    table.push_back(static_cast<BlockId>(random() % 3000));
  }
  return table;
}

void report_per_token(benchmark::State& state, std::int64_t tokens) {
  state.SetItemsProcessed(tokens);
  state.counters["per_token"] = benchmark::Counter(
      static_cast<double>(tokens), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void append_token(benchmark::State& state) {
  const auto layout = layout_of(state);
  const auto table = scattered_table();
  SequenceStream stream(layout, kWindow);
  std::uint64_t version = 0;
  std::int64_t tokens = 0;
  for (auto _ : state) {
    if (tokens == kSequenceTokens) {
      tokens = 0;
      ++version;
    }
    stream.resync(table, ++tokens, version);
    benchmark::DoNotOptimize(stream.score());
    benchmark::DoNotOptimize(stream.visits(0).size());
  }
  report_per_token(state, static_cast<std::int64_t>(state.iterations()));
}

void rebuild(benchmark::State& state) {
  const auto layout = layout_of(state);
  const auto table = scattered_table();
  SequenceStream stream(layout, kWindow);
  std::uint64_t version = 0;
  for (auto _ : state) {
    stream.resync(table, kSequenceTokens, ++version);
    benchmark::DoNotOptimize(stream.score());
  }
  report_per_token(state, static_cast<std::int64_t>(state.iterations()) * kSequenceTokens);
}

// One step of a batch of 64, each sequence at another length: score and kernels of all.
void step_of_a_batch(benchmark::State& state) {
  constexpr std::int64_t kBatch = 64;
  const auto layout = layout_of(state);
  const auto table = scattered_table();
  std::vector<SequenceStream> streams(kBatch, SequenceStream(layout, kWindow));
  std::int64_t step = 0;
  for (auto _ : state) {
    ++step;
    for (std::int64_t i = 0; i < kBatch; ++i) {
      auto& stream = streams[static_cast<std::size_t>(i)];
      stream.resync(table, 1 + (step + 5 * i) % kSequenceTokens, 1);
      benchmark::DoNotOptimize(stream.score());
      for (std::size_t c = 0; c < layout.classes().size(); ++c) {
        benchmark::DoNotOptimize(stream.visits(c).size());
      }
    }
  }
  report_per_token(state, static_cast<std::int64_t>(state.iterations()) * kBatch);
}

void maps_and_shapes(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t bytes : {512, 4096, 16384}) {
    for (std::size_t map = 0; map < std::size(kAddressMaps); ++map) {
      benchmark->Args({static_cast<std::int64_t>(map), bytes});
    }
  }
}

BENCHMARK(append_token)->Apply(maps_and_shapes);
BENCHMARK(step_of_a_batch)->Apply(maps_and_shapes);
BENCHMARK(rebuild)->Apply(maps_and_shapes);

}  // namespace
}  // namespace lockstep
