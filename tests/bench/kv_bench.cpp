// What a policy costs the host: ns to admit, grow and free on an empty, half full and full pool,
// and bytes of bookkeeping a block. Arguments: index in kv_policies(), per cent of the pool in use.
#include <malloc.h>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "firmware/kv/allocator.h"

namespace lockstep {
namespace {

constexpr std::int32_t kPoolBlocks = 8192;
constexpr std::int32_t kBlocksPerRegion = 8;
constexpr std::int32_t kSequenceBlocks = 16;

const KvPolicy& policy_of(const benchmark::State& state) {
  return kv_policies()[static_cast<std::size_t>(state.range(0))];
}

// A pool of which `percent` is held by sequences of kSequenceBlocks. Every second of twice as many
// is given back first, so that what is free is scattered.
class FilledPool {
 public:
  FilledPool(const KvPolicy& policy, std::int64_t percent)
      : allocator_(policy.make({kPoolBlocks, kBlocksPerRegion, 1})) {
    std::vector<std::pair<SequenceId, std::vector<BlockId>>> held;
    while (auto table = admit()) held.emplace_back(next_ - 1, std::move(*table));
    const auto keep = held.size() * static_cast<std::size_t>(percent) / 100;
    for (std::size_t i = 0; i + keep < held.size(); ++i) {
      auto& [id, table] = held[(i * 7919) % held.size()];
      if (!table.empty()) allocator_->release(id, table);
      table.clear();
    }
  }

  std::optional<std::vector<BlockId>> admit() {
    return allocator_->admit(next_++, kSequenceBlocks, kSequenceBlocks);
  }
  KvAllocator& allocator() { return *allocator_; }
  SequenceId last() const { return next_ - 1; }
  SequenceId fresh() { return next_++; }

 private:
  std::unique_ptr<KvAllocator> allocator_;
  SequenceId next_ = 0;
};

// Admission of a sequence with all its blocks, and its release: ns a sequence. On a full pool the
// admission is refused.
void admit_and_release(benchmark::State& state) {
  FilledPool pool(policy_of(state), state.range(1));
  std::int64_t refused = 0;
  for (auto _ : state) {
    const auto table = pool.admit();
    if (table) {
      pool.allocator().release(pool.last(), *table);
    } else {
      ++refused;
    }
  }
  state.counters["refused"] = static_cast<double>(refused > 0);
  state.SetLabel(std::string(policy_of(state).name));
}

// A sequence that begins with one block and grows to kSequenceBlocks: ns a block. The growth of a
// full pool is refused.
void grow(benchmark::State& state) {
  FilledPool pool(policy_of(state), state.range(1));
  std::int64_t grown = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const auto id = pool.fresh();
    auto table = pool.allocator().admit(id, 1, kSequenceBlocks);
    state.ResumeTiming();
    if (!table) {
      ++grown;
      continue;
    }
    while (static_cast<std::int32_t>(table->size()) < kSequenceBlocks) {
      const auto block = pool.allocator().append(id);
      ++grown;
      if (!block) break;
      table->push_back(*block);
    }
    state.PauseTiming();
    pool.allocator().release(id, *table);
    state.ResumeTiming();
  }
  state.counters["per_block"] = benchmark::Counter(
      static_cast<double>(grown), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.SetLabel(std::string(policy_of(state).name));
}

// The release of a sequence of kSequenceBlocks: ns a sequence.
void free_blocks(benchmark::State& state) {
  FilledPool pool(policy_of(state), state.range(1));
  for (auto _ : state) {
    state.PauseTiming();
    const auto table = pool.admit();
    state.ResumeTiming();
    if (table) pool.allocator().release(pool.last(), *table);
  }
  state.SetLabel(std::string(policy_of(state).name));
}

// The question that admission asks of a sequence that grows.
void admission_check(benchmark::State& state) {
  FilledPool pool(policy_of(state), state.range(1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(pool.allocator().free_blocks() >=
                             pool.allocator().growth(0, kSequenceBlocks));
  }
  state.SetLabel(std::string(policy_of(state).name));
}

void bookkeeping(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    const auto before = mallinfo2().uordblks;
    FilledPool pool(policy_of(state), state.range(1));
    bytes = mallinfo2().uordblks - before;
  }
  state.counters["bytes_per_block"] = static_cast<double>(bytes) / kPoolBlocks;
  state.SetLabel(std::string(policy_of(state).name));
}

void policies_and_fill(benchmark::internal::Benchmark* benchmark) {
  for (std::size_t policy = 0; policy < kv_policies().size(); ++policy) {
    for (const std::int64_t percent : {0, 50, 100}) {
      benchmark->Args({static_cast<std::int64_t>(policy), percent});
    }
  }
}

BENCHMARK(admit_and_release)->Apply(policies_and_fill);
BENCHMARK(grow)->Apply(policies_and_fill);
BENCHMARK(free_blocks)->Apply(policies_and_fill);
BENCHMARK(admission_check)->Apply(policies_and_fill);
BENCHMARK(bookkeeping)->Apply(policies_and_fill)->Iterations(3);

}  // namespace
}  // namespace lockstep
