// Summaries in channels of their own out of one stack: K and V and summaries have the bandwidth of
// their part, neither disturbs the other, and what is counted is one stack.
#include <gtest/gtest.h>

#include "sim/sparse/sparse_comparison.h"
#include "sim/sparse/sparse_parts.h"
#include "sim/sparse/sparse_stacks.h"
#include "sim/study/dsa_study.h"
#include "sim/study/text_table.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using Overrides = std::vector<std::string>;

constexpr std::int64_t kContext = 8192;
constexpr std::int64_t kTokenBytes = std::int64_t{8} * 128 * 2;  // heads x dims x fp16, one tensor
const Overrides kHalf = {"dsa.summaries=reserved", "dsa.reserved_channels=16"};

Overrides joined(Overrides overrides, const Overrides& more) {
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

RunConfig config_of(const Overrides& overrides) {
  const Overrides small = {"dsa.context=8192",
                           "dsa.decode=2",
                           "dsa.simulated_layers=1",
                           "dsa.selector.dense_layers=0",
                           "dsa.selector.budget=512",
                           "dsa.scores.calibration_rows=16",
                           "dsa.prediction.theta=[0.2, 0.1, 0]"};
  return load_run_config(
      {LOCKSTEP_SOURCE_DIR "/configs/dsa-32k.yaml", joined(small, overrides), {}});
}

SparseComparison compare(const Overrides& overrides) {
  return compare_sparse(config_of(overrides), {std::nullopt, std::nullopt, false});
}

const SparseResult& result_of(const SparseComparison& comparison, std::string_view schedule) {
  return comparison.find(schedule)->result;
}

std::int64_t count(const ScheduleResult& schedule, SparseStream stream, Cmd cmd) {
  return count_of(schedule.stats(stream), cmd);
}

std::int64_t count(const ScheduleResult& schedule, Cmd cmd) {
  std::int64_t sum = 0;
  for (const auto& stats : schedule.streams) sum += count_of(stats, cmd);
  return sum;
}

// Busy clocks of one simulated layer.
Cycles busy(const SparseComparison& comparison, std::string_view schedule, SparseStream stream) {
  return result_of(comparison, schedule).streams[static_cast<std::size_t>(stream)].busy;
}

double selection_ns(const SparseComparison& comparison, std::string_view schedule) {
  constexpr int kLayers = 32;  // that the simulated one stands for
  return result_of(comparison, schedule)
             .busy_ns[static_cast<std::size_t>(SparseStage::kSelection)] /
         kLayers;
}

TEST(ReservedChannels, APartHasTheTimingAndItsShareOfTheStack) {
  const auto config = config_of(kHalf);
  const auto& whole = config.stack;
  const auto kv = kv_channels(whole, *config.sparse);
  const auto summaries = summary_channels(whole, *config.sparse);
  EXPECT_EQ(kv.domains() + summaries.domains(), whole.domains());
  EXPECT_EQ(kv.geometry.capacity().count + summaries.geometry.capacity().count,
            whole.geometry.capacity().count);
  EXPECT_EQ(kv.energy.background.count + summaries.energy.background.count,
            whole.energy.background.count);
  EXPECT_DOUBLE_EQ(kv.peak_pim_bytes_per_second() + summaries.peak_pim_bytes_per_second(),
                   whole.peak_pim_bytes_per_second());
}

// 8 heads on 16 channels: head h on channels 2h and 2h + 1, 64 of its 128 dims, four columns, each.
TEST(ReservedChannels, AHeadSpreadsOverTheChannelsThatAreLeft) {
  const auto config = config_of(kHalf);
  const auto map = tensor_map(config);
  EXPECT_EQ(map.head_channels(), 2);
  EXPECT_EQ(map.local_heads(), 1);
  EXPECT_EQ(map.parts(), 4);
  ASSERT_EQ(map.classes(), 1);
  ASSERT_EQ(map.domains(0).size(), 16U);
  for (const auto& domain : map.domains(0)) EXPECT_EQ(map.head(domain, 0), domain.domain / 2);
}

// A MAC command reads a column of 32 B in each of 16 banks, once for each of four queries. All of K
// and V takes as many of them as in the whole stack, on half of its channels.
TEST(ReservedChannels, DenseAttentionTakesTwiceTheColumnsInEachChannel) {
  const auto config = config_of({});
  const auto whole = compare({"dsa.schedules=[dense]"});
  const auto half = compare(joined(kHalf, {"dsa.schedules=[dense]"}));
  const std::int64_t blocks = kContext / 16 + 1;  // with the open one, in both steps
  const std::int64_t commands = 2 * 2 * blocks * 16 * kTokenBytes / (16 * 32) * 4;
  EXPECT_EQ(count(whole.schedules[0], SparseStream::kDense, Cmd::MACab), commands);
  EXPECT_EQ(count(half.schedules[0], SparseStream::kDense, Cmd::MACab), commands);
  const Cycles half_at_best = commands / 16 * config.stack.controller.timing.dram.nCCDAB;
  EXPECT_LT(busy(whole, "dense", SparseStream::kDense), half_at_best);
  EXPECT_GE(busy(half, "dense", SparseStream::kDense), half_at_best);
}

// A pseudo channel moves 32 bits at 5.2 Gb/s: 20.8 GB/s. 512 minima and maxima go through the pins
// of the reserved channels only, and next to nothing else holds them up.
TEST(ReservedChannels, TheProcessorReadsThroughThePinsOfTheReservedChannels) {
  const Overrides pins = {"dsa.selection=xpu", "dsa.schedules=[serial]"};
  const auto comparison = compare(joined(kHalf, pins));
  const double bytes = 2.0 * kContext / 16 * kTokenBytes;
  const double at_best_ns = bytes / (16 * 20.8);
  const double launch_ns = config_of({}).sparse->xpu.launch_us * 1e3;
  const double read_ns = selection_ns(comparison, "serial") / 2 - launch_ns;
  EXPECT_GE(read_ns, at_best_ns);
  EXPECT_LT(read_ns, 1.25 * at_best_ns);
  EXPECT_LT(selection_ns(compare(pins), "serial") / 2 - launch_ns, at_best_ns)
      << "all channels are faster";
  EXPECT_EQ(count(comparison.schedules[0], SparseStream::kSelection, Cmd::RD),
            2 * static_cast<std::int64_t>(bytes) / 32);
}

// Without refresh, which comes at other instants, the parts take exactly as long beside each other
// as alone, whoever scores.
TEST(ReservedChannels, SelectionAndSpeculationDoNotDisturbEachOther) {
  const Overrides still = {"refresh.mode=none", "dsa.schedules=[serial, S3]"};
  const auto banks = compare(joined(kHalf, still));
  const auto pins = compare(joined(kHalf, joined(still, {"dsa.selection=xpu"})));
  for (const auto* comparison : {&banks, &pins}) {
    EXPECT_EQ(busy(*comparison, "S3", SparseStream::kSelection),
              busy(*comparison, "serial", SparseStream::kSelection));
  }
  EXPECT_EQ(busy(banks, "S3", SparseStream::kSpeculation),
            busy(pins, "S3", SparseStream::kSpeculation));
  const auto same = compare(joined(still, {"dsa.selection=xpu"}));
  EXPECT_GT(busy(same, "S3", SparseStream::kSelection),
            busy(same, "serial", SparseStream::kSelection));
}

// Every channel refreshes once an nREFI, whichever part it belongs to: until the last attention has
// ended, after which nothing watches the stack while the processor projects.
TEST(ReservedChannels, TheBooksAreThoseOfOneStack) {
  constexpr int kTokens = 16;
  constexpr double kRefreshNs = 3900;  // nREFI, JESD238
  struct Case {
    Overrides overrides;
    int channels;
  };
  for (const auto& c : {Case{{}, 32}, Case{kHalf, 32}, Case{{"dsa.summaries=other"}, 64}}) {
    const auto comparison =
        compare(joined(c.overrides, {"dsa.schedules=[serial]", "dsa.decode=16"}));
    const auto& schedule = comparison.schedules[0];
    constexpr int kLayers = 32;
    double watched_ns = schedule.result.total_ns / kLayers;
    for (const auto stage : {SparseStage::kProjection, SparseStage::kFfn})
      watched_ns -= schedule.result.busy_ns[static_cast<std::size_t>(stage)] / kLayers / kTokens;
    EXPECT_NEAR(static_cast<double>(count(schedule, Cmd::REFab)) / c.channels,
                watched_ns / kRefreshNs, 2);
  }
}

// New summaries are written to their part: as many columns as in the whole stack.
TEST(ReservedChannels, CompletedSummariesAreWritten) {
  const Overrides steps = {"dsa.decode=32", "dsa.schedules=[serial, dense]"};
  const auto whole = compare(steps);
  const auto half = compare(joined(kHalf, steps));
  const std::int64_t tokens = 32 * 2 * kTokenBytes / 32;
  const std::int64_t summaries = 2 * 2 * kTokenBytes / 32;
  for (const auto* comparison : {&whole, &half}) {
    EXPECT_EQ(count(*comparison->find("serial"), SparseStream::kKvWrite, Cmd::WR),
              tokens + summaries);
    EXPECT_EQ(count(*comparison->find("dense"), SparseStream::kKvWrite, Cmd::WR), tokens);
  }
}

class WithReserved : public testing::TestWithParam<Overrides> {};

// The home of summaries changes when things happen, never what is attended to.
TEST_P(WithReserved, TheSameBlocksAreReadAndStagesAddUp) {
  const auto base =
      joined(GetParam(), {"dsa.schedules=[serial, S1, S2, S3, oracle]", "dsa.context=4096"});
  const auto same = compare(base);
  const auto half = compare(joined(kHalf, base));
  for (const auto& schedule : half.schedules) {
    SCOPED_TRACE(schedule.name);
    double exposed = 0;
    for (const double part : schedule.result.exposed_ns) exposed += part;
    EXPECT_NEAR(exposed, schedule.result.total_ns, 1e-6 * exposed);
    const auto& other = result_of(same, schedule.name);
    EXPECT_EQ(schedule.result.lists.selected, other.lists.selected);
    if (std::count(base.begin(), base.end(), "dsa.overlap=hybrid") > 0) continue;  // tries by time
    EXPECT_EQ(schedule.result.lists.missed, other.lists.missed);
    for (std::size_t i = 0; i < kSparseStreams.size(); ++i)
      EXPECT_EQ(schedule.result.streams[i].kv_bytes, other.streams[i].kv_bytes)
          << kSparseStreams[i];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, WithReserved,
    testing::Values(Overrides{}, Overrides{"dsa.selection=xpu"},
                    Overrides{"dsa.prediction.repair=recompute"},
                    Overrides{"dsa.prediction.repair=exact-partials"},
                    Overrides{"dsa.prediction.repair=exact-latemask", "dsa.selection=xpu"},
                    Overrides{"dsa.placement=packed"}, Overrides{"dsa.placement=shuffled"},
                    Overrides{"dsa.batch=3"}, Overrides{"dsa.batch=3", "dsa.overlap=none"},
                    Overrides{"dsa.batch=3", "dsa.overlap=inter_request", "dsa.selection=xpu"},
                    Overrides{"dsa.batch=2", "dsa.overlap=hybrid"},
                    Overrides{"attention.queries_per_column=4"},
                    Overrides{"attention.layout=interleaved"},
                    Overrides{"attention.element=int8", "model.element_size=1 B"},
                    Overrides{"pim.row_overlap=half_scope"}));

// The cells of the study, on a small cache.
TEST(ReservedChannels, TheStudyComparesThemWithTheOtherHomes) {
  int found = 0;
  for (const auto& part : dsa_parts()) {
    if (part.name != "selection") continue;
    for (const auto& cell : part.cells) {
      if (cell.overrides.find("reserved") == std::string_view::npos) continue;
      ++found;
      Overrides overrides;
      append_overrides(part.overrides, overrides);
      append_overrides(cell.overrides, overrides);
      const auto comparison = compare(overrides);
      for (const auto* name : {"serial", "S3", "oracle"}) ASSERT_NE(comparison.find(name), nullptr);
      // Half the channels attend, so that serial is slower; but the oracle hides selection.
      EXPECT_LT(result_of(comparison, "oracle").total_ns, result_of(comparison, "serial").total_ns);
    }
  }
  EXPECT_EQ(found, 2) << "banks score, the processor scores";
}

std::string mistakes(const Overrides& overrides) {
  try {
    config_of(overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReservedChannels, ASplitThatCannotBeIsRefusedOnce) {
  struct Case {
    Overrides overrides;
    std::string_view expected;
  };
  const Case cases[] = {
      {{"dsa.summaries=reserved"}, "`dsa.summaries`: `reserved` needs dsa.reserved_channels"},
      {{"dsa.reserved_channels=16"},
       "`dsa.reserved_channels`: must be left out unless dsa.summaries is `reserved`, but that is "
       "`same`"},
      {{"dsa.summaries=reserved", "dsa.reserved_channels=8"},
       "of 32 only 16 can be reserved; got 8, which leaves 24"},
      {{"dsa.summaries=reserved", "dsa.reserved_channels=0"},
       "`dsa.reserved_channels`: expected a whole number from 1"},
      {{"dsa.summaries=reserved", "dsa.reserved_channels=32"}, "got 32, which leaves 0"},
      {{"dsa.summaries=reserved", "dsa.reserved_channels=1", "geometry.channels=1"},
       "of 2 none can be reserved"},
      // 32 heads of 32 dims: a channel each in the stack, two in each channel of a half.
      {joined(kHalf, {"model.kv_heads=32", "model.head_dim=32"}), "would hold 2 of 32 heads"},
      {joined(kHalf, {"dsa.batch=128"}), "rows of each bank of 16 pseudo channels, but a bank has"},
      {joined(kHalf, {"pim.unit_queries=1"}), "a token takes 4 sets of lanes in each bank"},
      {joined(kHalf, {"address_map=pim-friendly"}), "address map with the row above"},
      {joined(kHalf, {"detail=command"}), "`dsa.summaries`: `reserved` needs `detail: stream`"},
      {{"dsa.summaries=other", "detail=command"}, "`other` needs `detail: stream`"},
  };
  for (const auto& c : cases) {
    const auto told = mistakes(c.overrides);
    EXPECT_NE(told.find(c.expected), std::string::npos) << told << "\nexpected: " << c.expected;
    EXPECT_LE(std::count(told.begin(), told.end(), '\n'), 1) << "one mistake, one line: " << told;
  }
  EXPECT_EQ(mistakes({"dsa.batch=128"}), "accepted")
      << "the whole stack holds what a half does not";
}

}  // namespace
}  // namespace lockstep
