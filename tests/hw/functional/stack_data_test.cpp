// Data through sockets: reads, writes, debug transport and attention at both levels of detail, and
// without a kernel.
#include <numeric>

#include <gtest/gtest.h>

#include "hw/stack/direct_stack.h"
#include "tests/hw/functional/bench.h"
#include "tests/hw/functional/random_head.h"

namespace lockstep {
namespace {

constexpr Detail kBoth[] = {Detail::kStream, Detail::kCommand};

// Runs `program` on stacks of each configuration: at each level, then one without a kernel.
void on_every_stack(const std::vector<StackConfig>& configs,
                    const std::function<void(StackPort&)>& program) {
  std::vector<std::unique_ptr<Bench>> benches;
  for (const auto& config : configs) {
    for (const Detail detail : kBoth) {
      const auto name = "bench_" + std::to_string(benches.size());
      benches.push_back(std::make_unique<Bench>(name.c_str(), config, detail, program));
    }
  }
  for (const auto& bench : benches) bench->run();
  for (const auto& config : configs) {
    DirectStack direct(config);
    program(direct);
    direct.check_identities();
  }
}

Elements counting(std::size_t bytes, int first) {
  Elements data(bytes);
  std::iota(data.begin(), data.end(), static_cast<std::uint8_t>(first));
  return data;
}

TEST(StackData, ReadsReturnWhatWasWritten) {
  on_every_stack({small_config()}, [](StackPort& port) {
    // Across columns, channels and banks, with ragged ends.
    Elements written = counting(777, 3);
    const HostAccess write{AccessKind::kWrite, 4096 + 5, 777, written.data()};
    port.execute({nullptr, 0}, {&write, 1});
    Elements read(790, 0xEE);
    const HostAccess access{AccessKind::kRead, 4096, 790, read.data()};
    port.execute({nullptr, 0}, {&access, 1});
    EXPECT_EQ(Elements(read.begin() + 5, read.begin() + 782), written);
    EXPECT_EQ(Elements(read.begin(), read.begin() + 5), Elements(5)) << "never written: zeros";
    EXPECT_EQ(Elements(read.begin() + 782, read.end()), Elements(8));
  });
}

TEST(StackData, PartialWritesLeaveTheRestOfAColumn) {
  on_every_stack({small_config()}, [](StackPort& port) {
    Elements column = counting(32, 100), two = {1, 2};
    const HostAccess first{AccessKind::kWrite, 64, 32, column.data()};
    const HostAccess second{AccessKind::kWrite, 64 + 30, 2, two.data()};
    port.execute({nullptr, 0}, {&first, 1});
    port.execute({nullptr, 0}, {&second, 1});
    Elements read(32);
    ASSERT_TRUE(port.peek(64, read));
    column[30] = 1, column[31] = 2;
    EXPECT_EQ(read, column);
  });
}

TEST(StackData, PokesAreReadAndWritesArePeeked) {
  on_every_stack({small_config()}, [](StackPort& port) {
    const Elements poked = counting(500, 9);
    ASSERT_TRUE(port.poke(1000, poked));
    Elements read(500);
    const HostAccess access{AccessKind::kRead, 1000, 500, read.data()};
    const Cycles before = port.now();
    EXPECT_EQ(before, Cycles{0}) << "a poke takes no time";
    port.execute({nullptr, 0}, {&access, 1});
    EXPECT_EQ(read, poked);
    EXPECT_GT(port.now(), before);
  });
}

TEST(StackData, DebugTransportKeepsBytesInEveryStorageMode) {
  for (const char* const mode : {"storage=none", "storage=sparse"}) {
    for (const Detail detail : kBoth) {
      const auto name =
          std::string(mode + 8) + "_" + std::string(kDetails[detail == Detail::kCommand]);
      Bench bench(name.c_str(), small_config({mode}), detail, [](StackPort&) {});
      Elements data = counting(40, 1);
      tlm::tlm_generic_payload trans;
      trans.set_address(128 + 8);
      trans.set_data_ptr(data.data());
      trans.set_data_length(40);
      trans.set_streaming_width(40);
      trans.set_command(tlm::TLM_WRITE_COMMAND);
      EXPECT_EQ(bench.host.host_initiator_socket->transport_dbg(trans), 40U) << name;
      Elements read(40);
      trans.set_data_ptr(read.data());
      trans.set_command(tlm::TLM_READ_COMMAND);
      EXPECT_EQ(bench.host.host_initiator_socket->transport_dbg(trans), 40U) << name;
      EXPECT_EQ(read, data) << name;
      trans.set_command(tlm::TLM_IGNORE_COMMAND);
      EXPECT_EQ(bench.host.host_initiator_socket->transport_dbg(trans), 0U) << name;
    }
  }
}

TEST(StackData, WithoutStorageHostDataStayWhereTheyAre) {
  on_every_stack({small_config({"storage=none"})}, [](StackPort& port) {
    Elements written = counting(32, 1), read(32, 0xEE);
    const HostAccess accesses[] = {{AccessKind::kWrite, 0, 32, written.data()},
                                   {AccessKind::kRead, 0, 32, read.data()}};
    port.execute({nullptr, 0}, {accesses, 2});
    EXPECT_EQ(read, Elements(32, 0xEE));
    Elements peeked(32, 0xEE);
    EXPECT_TRUE(port.peek(0, peeked));
    EXPECT_EQ(peeked, Elements(32));
  });
}

// Heads on all domains with traffic beside them; the clock after each step, and the results.
struct Outcome {
  std::vector<std::int64_t> clocks;
  std::vector<PassResult> results;
};

Outcome run_heads(StackPort& port, const StackConfig& config) {
  Outcome outcome;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    HeadDice dice(seed);
    HeadShape shape = dice.shape(config.domains());
    shape.head_channels = config.domains();
    shape.head_pass = static_cast<std::int64_t>(seed);
    std::vector<int> domains(static_cast<std::size_t>(shape.head_channels));
    std::iota(domains.begin(), domains.end(), 0);
    std::rotate(domains.begin(), domains.begin() + dice.roll(0, 3), domains.end());
    const HeadOnStack head(config, dice.head(shape), domains);
    head.poke(port);
    auto kernels = head.kernels();
    if (dice.roll(0, 1) == 0) std::swap(kernels.front(), kernels.back());
    Elements bytes = dice.elements(KvElement::kInt8, 700);
    // Rows above those of the heads.
    const auto address = static_cast<std::uint64_t>(config.geometry.capacity().count - 4096);
    const HostAccess accesses[] = {{AccessKind::kWrite, address, 700, bytes.data()},
                                   {AccessKind::kRead, 0, 300}};
    port.execute(kernels, {accesses, static_cast<std::size_t>(dice.roll(0, 2))});
    outcome.clocks.push_back(port.now().count);
    for (auto& result : port.take_results()) outcome.results.push_back(result);
  }
  return outcome;
}

TEST(StackData, AttentionIsTheSameAtBothLevelsAndWithoutAKernel) {
  const StackConfig config = small_config();
  std::vector<Outcome> outcomes;
  on_every_stack({config}, [&](StackPort& port) { outcomes.push_back(run_heads(port, config)); });
  ASSERT_EQ(outcomes.size(), 3U);
  for (const auto& outcome : outcomes) {
    EXPECT_EQ(outcome.clocks, outcomes[0].clocks);
    ASSERT_EQ(outcome.results.size(), 30U);
    for (std::size_t seed = 0; seed < outcome.results.size(); ++seed) {
      EXPECT_EQ(outcome.results[seed].head_pass, static_cast<std::int64_t>(seed));
      EXPECT_EQ(outcome.results[seed].m, outcomes[0].results[seed].m) << "seed " << seed;
      EXPECT_EQ(outcome.results[seed].l, outcomes[0].results[seed].l) << "seed " << seed;
      EXPECT_EQ(outcome.results[seed].acc, outcomes[0].results[seed].acc) << "seed " << seed;
    }
  }
}

TEST(StackData, StorageDoesNotChangeTheClock) {
  const StackConfig computing = small_config();
  std::vector<Outcome> outcomes;
  on_every_stack({computing, small_config({"storage=none"})},
                 [&](StackPort& port) { outcomes.push_back(run_heads(port, computing)); });
  ASSERT_EQ(outcomes.size(), 6U);
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.clocks, outcomes[0].clocks);
  EXPECT_EQ(outcomes[1].results.size(), 30U);
  EXPECT_TRUE(outcomes[2].results.empty()) << "timed only";
}

}  // namespace
}  // namespace lockstep
