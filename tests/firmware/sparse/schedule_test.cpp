// Schedules on a port whose kernels take a clock a command: the step is that of the formulas of
// docs/dsa.md, and what is exposed adds up to it.
#include <cmath>

#include <gtest/gtest.h>

#include "firmware/dsa/random_stream.h"
#include "firmware/sparse/sparse_run.h"

namespace lockstep {
namespace {

constexpr Hertz kClock{1'000'000'000};  // a clock is a nanosecond

// The longest kernel counts: channels work side by side. Accesses take a clock each, beside it.
class CommandPort final : public StackPort {
 public:
  Cycles now() const override { return now_; }
  void wait(Cycles clocks) override { now_ += clocks; }
  int domains() const override { return 32; }
  Completions completions() const override { return completions_; }
  void execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) override {
    completions_ = {now_, now_};
    for (const auto& kernel : kernels) {
      std::int64_t commands = 0;
      for (const auto& run : *kernel.kernel) commands += run.commands();
      completions_.kernels = std::max(completions_.kernels, now_ + Cycles{commands});
    }
    completions_.accesses += Cycles{static_cast<std::int64_t>(accesses.size())};
    for (const auto& access : accesses) bytes_ += access.bytes;
    now_ = std::max(completions_.kernels, completions_.accesses);
  }
  std::int64_t bytes() const { return bytes_; }

 private:
  Cycles now_;
  std::int64_t bytes_ = 0;
  Completions completions_;
};

SparseConfig small() {
  SparseConfig config;
  config.unit = {1, 8, 2};
  config.xpu.peak_tflops = 100;
  config.xpu.memory_gbps = 1000;
  config.layer = {1024, 32, 8, 128, 4096, 3, 2};
  config.context_tokens = 4096;
  config.decode_tokens = 3;
  config.selector = {"quest", 16, 512, 0, 1, 0, 0, Granularity::kKvHead};
  config.calibration_rows = 8;
  config.theta = Theta{0.2, 0.1, 0};
  config.delta = 1.5;
  config.hand_off = {100, 50, 32, 120, 300, 16, 40, 800};
  config.row_cost = {30, 10};
  return config;
}

ScoreSeries scores(int request, int layer, int head) {
  RandomStream random(static_cast<std::uint64_t>(request), layer, head, 0);
  ScoreSeries series{11, 256, {}};
  std::vector<double> lasting(256);
  for (auto& score : lasting) score = random.normal();
  for (int i = 0; i < 11 * 256; ++i)
    series.scores.push_back(lasting[static_cast<std::size_t>(i % 256)] + 0.3 * random.normal());
  for (int t = 0; t < 11; ++t) series.scores[static_cast<std::size_t>(t * 256 + 255)] = NAN;
  return series;
}

// What was run, and the bytes that the processor moved to and from each port.
struct OnPorts {
  SparseResult result;
  std::int64_t kv_bytes;
  std::int64_t apart_bytes;
};

OnPorts run_on_ports(const SparseConfig& config, std::optional<Schedule> schedule) {
  const StackGeometry geometry{};
  const KvTensorMap map(std::get<AddressMap>(AddressMap::parse("host-cacheline", geometry)),
                        geometry, 1, config.shape);
  const CachePlan plan(config, map, map);
  const SparseLists lists(config, plan, scores);
  CommandPort kv;
  CommandPort other;
  const auto result = SparseRun(config, plan, lists, schedule, kClock)
                          .run({kv, config.summaries_apart() ? other : kv}, nullptr);
  return {result, kv.bytes(), other.bytes()};
}

SparseResult run(const SparseConfig& config, std::optional<Schedule> schedule) {
  return run_on_ports(config, schedule).result;
}

double busy(const SparseResult& result, SparseStage stage) {
  return result.busy_ns[static_cast<std::size_t>(stage)];
}
double exposed(const SparseResult& result, SparseStage stage) {
  return result.exposed_ns[static_cast<std::size_t>(stage)];
}
double sum(const PerStage<double>& stages) {
  double total = 0;
  for (const double part : stages) total += part;
  return total;
}

TEST(SparseSchedules, SerialIsTheSumOfItsStages) {
  const auto result = run(small(), Schedule::kSerial);
  EXPECT_DOUBLE_EQ(result.total_ns, sum(result.busy_ns)) << "nothing runs beside anything";
  EXPECT_DOUBLE_EQ(result.total_ns, static_cast<double>(result.end.count));
  EXPECT_EQ(result.lists.missed, 0);
}

// Eq. 12: banks that score cannot attend; only top-K and hand-off are filled.
TEST(SparseSchedules, OnTheSameBanksSpeculationFillsTheHandOffAlone) {
  auto config = small();
  config.decode_tokens = 1;
  const auto result = run(config, Schedule::kPredictRepair);
  ASSERT_GT(result.lists.missed, 0);
  // After selection: 120 sync, 300 + 8 heads x 255 blocks / 16 a ns of top-K, then the list.
  const double entries = 4.0 * static_cast<double>(result.lists.missed) / 32;
  const double window = 120 + std::ceil(300 + 8 * 255 / 16.0) + std::ceil(50 + entries + 100);
  EXPECT_NEAR(exposed(result, SparseStage::kSpeculation),
              std::max(0.0, busy(result, SparseStage::kSpeculation) - window), 1e-6);
  EXPECT_DOUBLE_EQ(exposed(result, SparseStage::kSelection), busy(result, SparseStage::kSelection));
}

// Eq. 11: summaries of a second stack are scored beside speculation.
TEST(SparseSchedules, OnOtherBanksSpeculationFillsSelectionToo) {
  auto config = small();
  config.decode_tokens = 1;
  const auto same = run(config, Schedule::kPredictRepair);
  config.summaries = SummaryHome::kOther;
  const auto other = run(config, Schedule::kPredictRepair);
  EXPECT_DOUBLE_EQ(busy(other, SparseStage::kSelection), busy(same, SparseStage::kSelection));
  EXPECT_NEAR(
      same.total_ns - other.total_ns,
      std::min(busy(other, SparseStage::kSelection), exposed(same, SparseStage::kSpeculation)),
      1e-6);
}

// Token 4112 completes block 256 of 16: its minima and maxima, 2 KiB each, go to where summaries
// lie, and so do the reads of those before it.
TEST(SparseSchedules, SummariesApartAreWrittenAndReadWhereTheyLie) {
  constexpr std::int64_t kTensors = std::int64_t{2} * 2048;
  auto config = small();
  config.context_tokens = 4111;
  config.decode_tokens = 1;
  for (const auto home : {SummaryHome::kSame, SummaryHome::kOther, SummaryHome::kReserved}) {
    config.summaries = home;
    config.selection = SelectionEngine::kPim;
    const auto banks = run_on_ports(config, Schedule::kPredictRepair);
    config.selection = SelectionEngine::kXpu;
    const auto pins = run_on_ports(config, Schedule::kPredictRepair);
    const std::int64_t apart = home == SummaryHome::kSame ? 0 : kTensors;
    EXPECT_EQ(banks.apart_bytes, apart);
    EXPECT_EQ(banks.kv_bytes, 2 * kTensors - apart);
    EXPECT_EQ(pins.apart_bytes + pins.kv_bytes, (2 + 256) * kTensors);
    EXPECT_EQ(pins.apart_bytes, (1 + 256) * apart);
    EXPECT_EQ(sum(banks.result.exposed_ns), banks.result.total_ns);
  }
}

// Lists of 31 entries of 4 B at 32 B/ns: eight take 50 + 31 + 100 ns to be known, one 154.
TEST(SparseSchedules, HeadsThatShareAListAreSentItOnce) {
  auto config = small();
  const auto apart = run(config, Schedule::kSerial);
  config.selector.granularity = Granularity::kLayer;
  const auto shared = run(config, Schedule::kSerial);
  EXPECT_DOUBLE_EQ(busy(apart, SparseStage::kHandOff) - busy(shared, SparseStage::kHandOff),
                   3 * (181 - 154));
  EXPECT_EQ(shared.lists.selected, apart.lists.selected);
}

// The list is known sync, top-K and hand-off after the scores. Beside selection in the processor's
// memory, speculation begins with it; in the same banks, behind it.
TEST(SparseSchedules, TheWindowIsFromTheEndOfSpeculationToTheList) {
  auto config = small();
  for (const auto engine : {SelectionEngine::kPim, SelectionEngine::kXpu}) {
    config.selection = engine;
    config.summaries = engine == SelectionEngine::kPim ? SummaryHome::kSame : SummaryHome::kXpu;
    const auto result = run(config, Schedule::kPredictRepair);
    EXPECT_EQ(result.windows.layers, 3);
    EXPECT_EQ(result.windows.overruns, engine == SelectionEngine::kPim ? 3 : 0);
    const double selection =
        engine == SelectionEngine::kPim ? 0 : busy(result, SparseStage::kSelection);
    const double after_list = 3 * 120;  // the last sync
    const double doorbell = 3 * 100;
    const double list = busy(result, SparseStage::kTopK) + busy(result, SparseStage::kHandOff) -
                        doorbell - after_list;
    EXPECT_DOUBLE_EQ(static_cast<double>(result.windows.slack.count),
                     selection + list - busy(result, SparseStage::kSpeculation));
  }
  EXPECT_EQ(run(config, Schedule::kSerial).windows.layers, 0);
}

TEST(SparseSchedules, RecomputationRepeatsAllOfTheSelection) {
  const auto serial = run(small(), Schedule::kSerial);
  const auto s1 = run(small(), Schedule::kReuseRecompute);
  EXPECT_EQ(s1.lists.layers_with_a_miss, 3);
  EXPECT_DOUBLE_EQ(busy(s1, SparseStage::kAttention), busy(serial, SparseStage::kAttention));
  EXPECT_DOUBLE_EQ(busy(s1, SparseStage::kRepair), 0);
}

// Nothing is missed by so long a guess, but what it wasted is in its only pass.
TEST(SparseSchedules, RecomputationAsAModeRepeatsTheSelectionAfterWasteToo) {
  auto config = small();
  config.delta = 8;  // 248 of 255 blocks
  config.repair = RepairMode::kRecompute;
  const auto result = run(config, Schedule::kPredictRepair);
  ASSERT_EQ(result.lists.missed, 0);
  ASSERT_GT(result.lists.wasted, 0);
  const auto serial = run(config, Schedule::kSerial);
  EXPECT_DOUBLE_EQ(busy(result, SparseStage::kRepair), busy(serial, SparseStage::kAttention));
  EXPECT_DOUBLE_EQ(busy(result, SparseStage::kMerge), 0);
  config.repair = RepairMode::kUnion;
  EXPECT_DOUBLE_EQ(busy(run(config, Schedule::kPredictRepair), SparseStage::kRepair), 0);
}

TEST(SparseSchedules, TheOracleMissesNothingAndIsNotRepaired) {
  const auto result = run(small(), Schedule::kOracle);
  EXPECT_EQ(result.lists.missed, 0);
  EXPECT_EQ(result.lists.wasted, 0);
  EXPECT_DOUBLE_EQ(busy(result, SparseStage::kRepair), 0);
  EXPECT_DOUBLE_EQ(busy(result, SparseStage::kAttention), 0);
}

// K of P before A is known, V of A after: half of the reads of P are never wasted.
TEST(SparseSchedules, ALateMaskReadsNoValueInVain) {
  auto config = small();
  const auto whole = run(config, Schedule::kPredictRepair);
  config.repair = RepairMode::kExactLatemask;
  const auto late = run(config, Schedule::kPredictRepair);
  const auto bytes = [](const SparseResult& result, SparseStream stream) {
    return result.streams[static_cast<std::size_t>(stream)].kv_bytes;
  };
  EXPECT_EQ(2 * bytes(late, SparseStream::kSpeculation), bytes(whole, SparseStream::kSpeculation));
  const auto serial = run(config, Schedule::kSerial);
  EXPECT_EQ(2 * bytes(late, SparseStream::kRepair),
            bytes(serial, SparseStream::kAttention) + bytes(whole, SparseStream::kRepair));
}

// Attention of one request fills the top-K and hand-off of the next; the banks do no less work.
TEST(SparseSchedules, RequestsOverlapTheirListsNotTheirBanks) {
  auto config = small();
  config.batch = 4;
  config.overlap = OverlapPolicy::kNone;
  const auto apart = run(config, Schedule::kPredictRepair);
  config.overlap = OverlapPolicy::kInterRequest;
  const auto beside = run(config, Schedule::kPredictRepair);
  EXPECT_DOUBLE_EQ(busy(beside, SparseStage::kAttention), busy(apart, SparseStage::kAttention));
  EXPECT_DOUBLE_EQ(busy(beside, SparseStage::kSelection), busy(apart, SparseStage::kSelection));
  EXPECT_LT(beside.total_ns, apart.total_ns);
  EXPECT_EQ(beside.lists.guessed + apart.lists.guessed, 0) << "neither speculates";
}

TEST(SparseSchedules, PackedBlocksAreCopiedBesideTheProcessor) {
  auto config = small();
  config.placement = BlockPlacement::kPacked;
  config.packing = {4, 1};
  const auto result = run(config, Schedule::kPredictRepair);
  EXPECT_GT(result.preparation.count, 0);
  EXPECT_GT(busy(result, SparseStage::kCopies), 0);
  EXPECT_DOUBLE_EQ(exposed(result, SparseStage::kCopies), 0) << "the FFN takes longer";
}

}  // namespace
}  // namespace lockstep
