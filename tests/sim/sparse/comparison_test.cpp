// Sparse runs on the stack: books that must balance, both levels of detail, traces, and the bar for
// row hits.
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "firmware/dsa/score_process.h"
#include "firmware/dsa/speculation_budget.h"
#include "firmware/dsa/trace_files.h"
#include "sim/sparse/sparse_comparison.h"
#include "sim/sparse/sparse_parts.h"
#include "sim/sparse/sparse_report.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using Overrides = std::vector<std::string>;

RunConfig config_of(Overrides overrides) {
  Overrides all = {"dsa.context=8192",
                   "dsa.decode=2",
                   "dsa.simulated_layers=1",
                   "dsa.selector.dense_layers=0",
                   "dsa.selector.budget=512",
                   "dsa.scores.calibration_rows=16",
                   "dsa.prediction.theta=[0.2, 0.1, 0]"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return load_run_config({LOCKSTEP_SOURCE_DIR "/configs/dsa-32k.yaml", all, {}});
}

SparseComparison compare(const RunConfig& config) {
  return compare_sparse(config, {std::nullopt, std::nullopt, false});
}
SparseComparison compare(Overrides overrides) {
  return compare(config_of(std::move(overrides)));
}

TEST(SparseComparison, ExposedStagesAddUpToTheTokenAndListsBalance) {
  const auto comparison = compare({});
  ASSERT_EQ(comparison.schedules.size(), 6U);
  for (const auto& schedule : comparison.schedules) {
    double exposed = 0;
    for (const double part : schedule.result.exposed_ns) exposed += part;
    EXPECT_NEAR(exposed, schedule.result.total_ns, 1e-6 * exposed) << schedule.name;
    const auto& lists = schedule.result.lists;
    EXPECT_EQ(lists.selected - lists.missed,
              lists.guessed > 0 ? lists.guessed - lists.wasted : lists.selected)
        << schedule.name << ": P n A, counted from either side";
  }
  const auto* dense = comparison.find("dense");
  // K and V of 8192 tokens and the new one, 8 heads of 128 fp16 each.
  EXPECT_EQ(dense->result.streams[static_cast<std::size_t>(SparseStream::kDense)].kv_bytes,
            (8193 + 8194) * 2 * 8 * 128 * 2);
  EXPECT_EQ(comparison.find("oracle")->result.lists.missed, 0);
  EXPECT_EQ(comparison.find("S1")->result.lists.missed, comparison.find("S2")->result.lists.missed);
  EXPECT_LT(comparison.find("S3")->result.lists.missed, comparison.find("S2")->result.lists.missed);
}

TEST(SparseComparison, FullBlocksKeepAllBanksBusy) {
  const auto config = config_of({"dsa.schedules=[serial, S2]"});
  const auto comparison = compare(config);
  const auto participation = comparison.find("S2")->participation(config, SparseStream::kRepair);
  ASSERT_TRUE(participation.has_value());
  EXPECT_DOUBLE_EQ(*participation, 1) << "missed blocks are full, and a block fills a stripe";
  EXPECT_LT(*comparison.find("serial")->participation(config, SparseStream::kAttention), 1)
      << "the open block does not";
}

// A MAC command multiplies 16 numbers in each bank. A column holds 32 of int8 and fp8, and takes
// two commands: half of the columns, as many commands, and the same participation. A stripe of 16
// banks in two channels is a block of 16 tokens of 2 KiB, or of 32 of 1 KiB.
TEST(SparseComparison, AFullColumnParticipatesTheSameWithOneByteElements) {
  struct Element {
    std::string name, size;
    int block_tokens;
  };
  constexpr int kBanks = 16, kLanes = 16, kQueries = 4, kDims = 128, kHeads = 8, kSteps = 2;
  for (const auto& [name, size, tokens] :
       {Element{"fp16", "2 B", 16}, Element{"int8", "1 B", 32}, Element{"fp8_e4m3", "1 B", 32}}) {
    const auto config =
        config_of({"dsa.schedules=[serial, S2]", "attention.element=" + name,
                   "model.element_size=" + size, "kv.block_tokens=" + std::to_string(tokens)});
    ASSERT_EQ(config.stack.banks_in_lockstep(), kBanks);
    const auto comparison = compare(config);
    const auto products = [](const ScheduleResult& schedule, SparseStream stream) {
      return schedule.stats(stream).commands[static_cast<std::size_t>(Cmd::MACab)] * kBanks *
             kLanes;
    };
    const auto& repair = *comparison.find("S2");
    EXPECT_EQ(products(repair, SparseStream::kRepair),
              repair.result.lists.missed * 2 * tokens * kDims * kQueries)
        << name << ": K and V of the missed blocks, with each query";
    EXPECT_DOUBLE_EQ(*repair.participation(config, SparseStream::kRepair), 1) << name;
    const auto& serial = *comparison.find("serial");
    EXPECT_EQ(products(serial, SparseStream::kSelection),
              kSteps * 8192 / tokens * 2 * kDims * kHeads)
        << name << ": minima and maxima of all blocks, with the mean query";
    EXPECT_DOUBLE_EQ(*serial.participation(config, SparseStream::kSelection), 1) << name;
    // A row change counts once, however often the column is accessed.
    const auto hits = [&](SparseStream stream) { return *serial.column_row_hits(config, stream); };
    const auto& stats = serial.stats(SparseStream::kSelection);
    const double columns =
        kSteps * 8192.0 / tokens * 2 * kDims * kHeads * (tokens == 16 ? 2 : 1) / (kBanks * 32);
    EXPECT_DOUBLE_EQ(hits(SparseStream::kSelection), 1 - stats.pim_column_misses / columns) << name;
    // What lists weigh a block by, in each of its head's four channels.
    const double commands = 2.0 * tokens * kDims * kQueries / (kBanks * kLanes * 4);
    EXPECT_DOUBLE_EQ(
        weighed(config).row_cost.block_ns,
        commands * nanoseconds(config.stack.controller.timing.dram.nCCDAB, config.stack.clock))
        << name;
  }
}

// K and V of a token side by side: half of the banks hold the one, half the other.
TEST(SparseComparison, AnInterleavedBlockWeighsTwice) {
  const auto cost = [](const std::string& layout) {
    return weighed(config_of({"attention.layout=" + layout})).row_cost.block_ns;
  };
  EXPECT_DOUBLE_EQ(cost("interleaved"), 2 * cost("split"));
}

// The TLM stack and the same controllers without a kernel.
TEST(SparseComparison, CommandAndStreamLevelTakeEqualTime) {
  const Overrides small = {"dsa.schedules=[S3]", "dsa.context=2048", "dsa.decode=1"};
  auto command = small;
  command.push_back("detail=command");
  const auto stream = compare(small);
  const auto events = compare(command);
  EXPECT_EQ(stream.schedules[0].result.end, events.schedules[0].result.end);
  EXPECT_DOUBLE_EQ(stream.schedules[0].result.total_ns, events.schedules[0].result.total_ns);
  for (std::size_t i = 0; i < kSparseStreams.size(); ++i) {
    EXPECT_EQ(stream.schedules[0].streams[i].commands, events.schedules[0].streams[i].commands)
        << kSparseStreams[i];
  }
}

// Reads of the processor and passes of the banks meet in the channels: together they take longer
// than the longer, and host reads first leave the list earlier than passes first.
TEST(SparseComparison, ReadsAndPassesContendForTheirChannels) {
  const Overrides pins = {"dsa.schedules=[serial, S3]", "dsa.selection=xpu"};
  auto host_first = pins;
  host_first.push_back("controller.arbitration=host_first");
  auto pim_first = pins;
  pim_first.push_back("controller.arbitration=pim_first");
  const auto selection = static_cast<std::size_t>(SparseStage::kSelection);
  const auto speculation = static_cast<std::size_t>(SparseStage::kSpeculation);
  const auto a = compare(host_first);
  const auto b = compare(pim_first);
  const auto& alone = a.find("serial")->result;
  EXPECT_GE(a.find("S3")->result.busy_ns[selection], alone.busy_ns[selection]);
  EXPECT_GT(b.find("S3")->result.busy_ns[selection], a.find("S3")->result.busy_ns[selection]);
  EXPECT_LT(b.find("S3")->result.busy_ns[speculation], a.find("S3")->result.busy_ns[speculation]);
}

// At 32K tokens, budget 2048, blocks of 16, four queries a column access (so that a column counts
// once): copies of predicted blocks in common rows keep at least 0.93 of the row hits.
TEST(SparseComparison, PackedRowsKeepTheRowHits) {
  const Overrides at = {"dsa.context=32768",  "dsa.selector.budget=2048",
                        "dsa.decode=4",       "dsa.scores.calibration_rows=64",
                        "dsa.schedules=[S3]", "attention.queries_per_column=4"};
  auto packed = at;
  packed.push_back("dsa.placement=packed");
  const auto apart = compare(at);
  const auto together = compare(packed);
  EXPECT_LT(*apart.schedules[0].row_hits(SparseStream::kSpeculation), 0.93);
  EXPECT_GE(*together.schedules[0].row_hits(SparseStream::kSpeculation), 0.93);
  EXPECT_EQ(together.schedules[0].result.lists.missed, apart.schedules[0].result.lists.missed)
      << "no recall is lost: the lists are the same blocks";
}

TEST(SparseComparison, BudgetRulesChooseFromTheGrid) {
  for (const auto* rule : {"largest_safe", "latency_optimal"}) {
    const auto comparison =
        compare({"dsa.schedules=[S3]", std::string("dsa.prediction.delta_rule=") + rule,
                 "dsa.summaries=other"});
    const double delta = comparison.schedules[0].delta;
    EXPECT_EQ(std::count(kDeltas.begin(), kDeltas.end(), delta), 1) << rule << " gave " << delta;
  }
}

// What is safe is hidden whole, and a quarter of K more is not, wherever banks score beside.
TEST(SparseComparison, TheLargestSafeDeltaIsTheLastThatIsHidden) {
  for (const Overrides& home : {Overrides{"dsa.summaries=other", "dsa.hand_off.doorbell=4 us"},
                                Overrides{"dsa.summaries=reserved", "dsa.reserved_channels=16",
                                          "dsa.hand_off.doorbell=6 us"}}) {
    const auto run = [&](const std::string& rule) {
      Overrides all = {"dsa.schedules=[S3]", "dsa.decode=4", "dsa.prediction." + rule};
      all.insert(all.end(), home.begin(), home.end());
      const auto comparison = compare(all);
      const auto& schedule = comparison.schedules[0];
      const auto stage = static_cast<std::size_t>(SparseStage::kSpeculation);
      return std::pair(schedule.delta, schedule.result.exposed_ns[stage]);
    };
    const double safe = run("delta_rule=largest_safe").first;
    ASSERT_GT(safe, kDeltas.front());
    ASSERT_LT(safe, kDeltas.back());
    EXPECT_EQ(run("delta=" + std::to_string(safe)).second, 0) << home[0] << " " << safe;
    EXPECT_GT(run("delta=" + std::to_string(safe + 0.25)).second, 0) << home[0] << " " << safe;
  }
}

class TraceFolder : public testing::Test {
 protected:
  void SetUp() override {
    ProcessConfig process;
    process.process = "neutral";
    process.selector = {"quest", 16, 512, 0, 1, 0, 0, Granularity::kKvHead};
    process.context_tokens = 2048;
    process.decode_steps = 3;
    process.calibration_rows = 16;
    process.seed = 5;
    process.target_reuse_ratio = 0.68;
    write_score_trace(generate_score_trace(process, 1, 8), folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Of this test and process alone: tests run side by side.
  std::string folder_ = (std::filesystem::temp_directory_path() /
                         ("lockstep-trace-" + std::to_string(getpid()) + "-" +
                          testing::UnitTest::GetInstance()->current_test_info()->name()))
                            .string();
};

TEST_F(TraceFolder, AReplayedTraceGivesTheListsOfItsScores) {
  const auto trace = read_score_trace(folder_);
  const auto comparison =
      compare({"dsa.context=2048", "dsa.scores.trace=" + folder_, "dsa.schedules=[S2]"});
  std::int64_t missed = 0;
  for (std::int64_t head = 0; head < 8; ++head) {
    const auto series = trace.series(0, head);
    for (std::int64_t t = 16; t < 18; ++t) {
      const auto now = top_blocks(series.row(t), 31);
      missed +=
          static_cast<std::int64_t>(blocks_without(now, top_blocks(series.row(t - 1), 31)).size());
    }
  }
  EXPECT_EQ(comparison.schedules[0].result.lists.missed, missed);
}

TEST_F(TraceFolder, ATraceOfAnotherShapeIsRefused) {
  EXPECT_THROW(compare({"dsa.context=2064", "dsa.scores.trace=" + folder_}), InputError);
  EXPECT_THROW(
      compare({"dsa.context=2048", "dsa.selector.budget=256", "dsa.scores.trace=" + folder_}),
      InputError);
  EXPECT_THROW(compare({"dsa.context=2048", "dsa.selector.init_blocks=1", "dsa.selector.budget=528",
                        "dsa.scores.trace=" + folder_}),
               InputError)
      << "as many blocks compete, but others are forced";
  EXPECT_THROW(compare({"dsa.context=2048", "dsa.decode=4", "dsa.scores.trace=" + folder_}),
               InputError);
}

}  // namespace
}  // namespace lockstep
