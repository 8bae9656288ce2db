// A decode run on a port that only counts: copies are timed as reads, then writes, before the
// passes; sampling steps changes neither scores nor serving.
#include <gtest/gtest.h>

#include "firmware/decode/decode_run.h"
#include "tests/firmware/serving/study.h"

namespace lockstep {
namespace {

constexpr Hertz kClock{1'000'000'000};
constexpr std::int64_t kClocksOfAPass = 1000;

// Reads take a clock a KiB, writes two, passes kClocksOfAPass.
class CountingPort final : public StackPort {
 public:
  Cycles now() const override { return now_; }
  void wait(Cycles clocks) override { now_ += clocks; }
  int domains() const override { return 32; }
  void execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) override {
    for (const auto& access : accesses) {
      const bool reads = access.kind == AccessKind::kRead;
      order += order.empty() || order.back() != (reads ? 'r' : 'w') ? (reads ? "r" : "w") : "";
      (reads ? read_bytes : written_bytes) += access.bytes;
      now_ += Cycles{access.bytes / 1024 * (reads ? 1 : 2)};
    }
    if (kernels.size() == 0) return;
    order += 'p';
    now_ += Cycles{kClocksOfAPass};
  }

  std::int64_t read_bytes = 0;
  std::int64_t written_bytes = 0;
  std::string order;

 private:
  Cycles now_;
};

DecodeConfig speculative() {
  DecodeConfig config;
  config.shape = {16, 4096};
  config.reorder = {ReorderMode::kWindow, 64};
  config.scoring.every_steps = 16;
  config.scoring.formula = kStudyTiming;
  config.serving.speculation = Speculation{Speculation::Commit::kCopyBack};
  return config;
}

DecodeResult run(const DecodeConfig& config, StackPort& port) {
  const auto map = std::get<AddressMap>(AddressMap::parse("host-cacheline", StackGeometry{}));
  const KvMemory memory(map, {StackGeometry{}, config.shape, config.channel_groups, 1});
  auto requests = study::requests("requests_steady500_seed0.csv");
  requests.resize(60);
  return DecodeRun(config, memory, kv_policy("region"), requests, kClock).run(port);
}

TEST(DecodeCopies, AreCountedAndTimedAsReadsThenWritesBeforeThePasses) {
  CountingPort port;
  const auto result = run(speculative(), port);
  const auto& serving = result.serving;
  const auto tokens =
      serving.copy_on_write_tokens + serving.copied_back_tokens + serving.staged_tokens;
  EXPECT_GT(tokens, 0);
  EXPECT_EQ(result.copied_bytes, tokens * 4096);
  EXPECT_EQ(port.read_bytes, result.copied_bytes);
  EXPECT_EQ(port.written_bytes, result.copied_bytes);
  EXPECT_EQ(result.copy_time.count, 3 * result.copied_bytes / 1024);
  EXPECT_EQ(result.pim_time.count, result.copy_time.count + kClocksOfAPass * serving.steps);
  EXPECT_EQ(port.order.substr(0, 6), "rwprwp");
}

TEST(DecodeCopies, OfSplitHeadsMoveAsManyBytes) {
  auto config = speculative();
  CountingPort whole;
  const auto expected = run(config, whole);
  config.channel_groups = 4;
  CountingPort split;
  const auto result = run(config, split);
  EXPECT_EQ(split.read_bytes, whole.read_bytes);
  EXPECT_EQ(result.copied_bytes, expected.copied_bytes);
  EXPECT_EQ(result.m1.mean(), expected.m1.mean());
}

TEST(DecodeSampling, LeavesScoresAndServingAsTheyAre) {
  auto config = speculative();
  CountingPort every;
  const auto all = run(config, every);
  config.scoring.simulate_every_steps = 8;
  CountingPort eighth;
  const auto sampled = run(config, eighth);
  EXPECT_EQ(sampled.m1.mean(), all.m1.mean());
  EXPECT_EQ(sampled.m3_gbps.mean(), all.m3_gbps.mean());
  EXPECT_EQ(sampled.serving.steps, all.serving.steps);
  EXPECT_EQ(sampled.serving.copy_on_write_tokens, all.serving.copy_on_write_tokens);
  EXPECT_LT(sampled.steps.size(), all.steps.size() / 7);
  for (const auto& step : sampled.steps) EXPECT_EQ(step.step % 8, 0);
}

}  // namespace
}  // namespace lockstep
