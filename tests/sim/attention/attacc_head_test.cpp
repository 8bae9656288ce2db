// One head of 2,048 tokens x 128 dims without GQA in AttAcc's lockstep scope, latencies zero: every
// clock accounted for by hand (docs/validation.md, an AttAcc-like head).
#include <gtest/gtest.h>

#include "firmware/attention/step_kernel.h"
#include "hw/stack/direct_stack.h"
#include "sim/run/run_config.h"

namespace lockstep {
namespace {

constexpr std::int64_t kTokens = 2048;
constexpr std::int64_t kRowsOfTensor = 8;    // 2,048 x 256 B over 64 banks x 1 KiB
constexpr std::int64_t kCommandsOfRow = 32;  // 2 KiB each
constexpr std::int64_t kPublishedCycles = 3810;
// nRCDRD + nRTP + nRP, and 31 nCCDAB.
constexpr std::int64_t kRowVisit = 19 + 8 + 19 + 31 * 6;
// The first command goes in clock 1. The last row is not closed.
constexpr std::int64_t kRowsAndColumns = 1 + 2 * kRowsOfTensor * kRowVisit - (8 + 19);

StackConfig attacc_stack() {
  return load_stack_config(
      {LOCKSTEP_SOURCE_DIR "/configs/attacc-hbm3-5.2gbps.yaml",
       // A head in each channel: 256 B of a token, then the next token in another bank.
       {"address_map=row column[:3] stack_id bank_group bank channel[0] channel[:1] column[2] "
        "column[1] column[0] byte",
        "pim.unit_queries=1", "pim.unit_column_parts=8"},
       {}});
}

std::int64_t cycles_of(const StackConfig& config, const PimKernel& kernel) {
  DirectStack stack(config);
  const std::vector<DomainKernel> work = {{0, std::make_shared<const PimKernel>(kernel), {}}};
  stack.execute(work, {nullptr, 0});
  return stack.now().count;
}

PimKernel our_kernel(const StackConfig& config) {
  KvTensorShape shape;
  shape.kv_heads = 16;
  const KvTensorMap map(config.map, config.geometry, config.channels_per_domain(), shape);
  const PassPlan plan{map, split_queries(1, map.parts(), {1, 1, 8}), {}};
  std::vector<BlockId> blocks;
  for (BlockId b = 0; b < kTokens / shape.block_tokens; ++b) blocks.push_back(b);
  const KvPools pools(map, 1, static_cast<std::int64_t>(blocks.size()));
  SequencePasses passes(plan);
  passes.resync(blocks, kTokens, 1);
  return step_kernel(plan, pools, 0, Pipeline::kNone, 0, {&passes});
}

std::int64_t commands_of(const PimKernel& kernel, PimOp op) {
  std::int64_t count = 0;
  for (const auto& run : kernel) count += run.op == op ? run.commands() : 0;
  return count;
}

PimRun move(PimOp op, int columns, int spread) {
  PimRun run;
  run.op = op;
  run.columns = columns;
  run.spread = static_cast<std::uint8_t>(spread);
  return run;
}

// The rows of one tensor.
void append_rows(PimKernel& kernel, int first_row) {
  for (int row = 0; row < kRowsOfTensor; ++row) {
    PimRun run;
    run.row = first_row + row;
    run.columns = kCommandsOfRow;
    kernel.push_back(run);
  }
}

// The command stream of AttAcc's generator at 2,048 tokens, as its recorded stream of 256 has it
// (tests/data/attacc/streams/E12_attn_L256.csv): scores of 16 tokens a move, half of them on each
// pseudo channel's bus and so one of two counted there; results summed in each bank group.
PimKernel attacc_kernel() {
  PimKernel kernel = {move(PimOp::kWrGb, 8, 4), move(PimOp::kBarrier, 1, 1)};
  append_rows(kernel, 0);
  kernel.push_back(move(PimOp::kBarrier, 1, 1));
  kernel.push_back(move(PimOp::kMvSb, kTokens / 32, 16));
  PimRun softmax = move(PimOp::kSfm, 1, 1);
  softmax.elements = kTokens;
  kernel.push_back(softmax);
  kernel.push_back(move(PimOp::kMvGb, kTokens / 32, 16));
  kernel.push_back(move(PimOp::kBarrier, 1, 1));
  append_rows(kernel, kRowsOfTensor);
  kernel.push_back(move(PimOp::kMvSb, 16, 16));
  return kernel;
}

TEST(AttAccHead, OfAttAccsOwnTransfersIsWithin5PercentOfItsCycles) {
  const auto cycles = static_cast<double>(cycles_of(attacc_stack(), attacc_kernel()));
  RecordProperty("cycles", static_cast<int>(cycles));
  EXPECT_NEAR(cycles, kPublishedCycles, 0.05 * kPublishedCycles);
}

TEST(AttAccHead, HasTheRowsAndColumnsOfAttAcc) {
  const auto kernel = our_kernel(attacc_stack());
  EXPECT_EQ(commands_of(kernel, PimOp::kMacAb), 2 * kRowsOfTensor * kCommandsOfRow);
  PimKernel macs;
  append_rows(macs, 0);
  append_rows(macs, kRowsOfTensor);
  EXPECT_EQ(cycles_of(attacc_stack(), macs), kRowsAndColumns);
}

TEST(AttAccHead, OfOursIsRowsColumnsAndTransfers) {
  StackConfig config = attacc_stack();
  config.controller.pim_window = 1;  // passes rely on the order of their commands
  const auto kernel = our_kernel(config);
  constexpr std::int64_t kBanks = 64;
  constexpr std::int64_t kSlots = kTokens / kBanks;
  constexpr std::int64_t kScoreMoves = kSlots / 8 * kBanks;    // 8 fp32 a burst
  constexpr std::int64_t kScalarMoves = kSlots / 16 * kBanks;  // 16 fp16 a burst
  constexpr std::int64_t kLaneMoves = 8 * 2 * kBanks;          // 8 columns x 16 fp32
  EXPECT_EQ(commands_of(kernel, PimOp::kMvSb), kScoreMoves + kLaneMoves);
  EXPECT_EQ(commands_of(kernel, PimOp::kMvGb), kScalarMoves);
  EXPECT_EQ(commands_of(kernel, PimOp::kWrGb), 2 * 8);
  // Two buses, a transfer every nCCDS = 2 clocks on each.
  constexpr std::int64_t kTransfers = kScoreMoves + kScalarMoves + kLaneMoves + 2 * 8;
  static_assert(kTransfers == 1424, "as docs/validation.md has it");
  // Rows change behind the moves after each chunk of 16 tokens a bank but the last, of which K and
  // V have two; the first opens behind the queries.
  constexpr std::int64_t kHidden = 3 * (19 + 8 + 19) + 2 * 8;
  EXPECT_EQ(cycles_of(config, kernel), kRowsAndColumns + kTransfers - kHidden);
}

}  // namespace
}  // namespace lockstep
