// One speculative round at a time, with every draft right or every draft wrong, so that nothing is
// left to the draw but the winner.
#include "firmware/serving/speculation.h"

#include <gtest/gtest.h>

#include "firmware/serving/serving_loop.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

ServingConfig speculative(Speculation::Commit commit, double acceptance) {
  ServingConfig config;
  config.speculation = Speculation{commit, 4, 3, acceptance, 1};
  return config;
}

Request request(std::int32_t prompt, std::int32_t output) {
  return {0, 0, prompt, output, -1, 0, {}, 0};
}

std::int32_t tokens_copied(Span<BlockCopy> copies, BlockCopy::Reason reason) {
  std::int32_t tokens = 0;
  for (const auto& copy : copies) tokens += copy.reason == reason ? copy.tokens : 0;
  return tokens;
}

TEST(Speculation, SpliceReplacesThePartialLastBlockByTheWinners) {
  const auto allocator = make_kv_allocator("region", {64, 8});
  ServingLoop loop(speculative(Speculation::Commit::kSplice, 1), {request(30, 20)}, *allocator);
  loop.begin_step();
  // 30 tokens: 14 in the last block, so each branch copies 14 and has 14 + 4 tokens: 2 blocks.
  const auto& sequence = loop.running()[0];
  EXPECT_EQ(sequence.tokens, 34);
  ASSERT_EQ(sequence.blocks.size(), 3U);
  EXPECT_EQ(sequence.blocks[0], 0);
  EXPECT_GE(sequence.blocks[1], 8) << "branches are kept away from sequences";
  EXPECT_EQ(sequence.blocks[1] % 2, 0);
  EXPECT_EQ(sequence.blocks[2], sequence.blocks[1] + 1);
  EXPECT_EQ(sequence.table_version, 2U) << "once by admission, once by splicing";
  EXPECT_EQ(tokens_copied(loop.copies(), BlockCopy::Reason::kCopyOnWrite), 4 * 14);
  EXPECT_EQ(loop.copies().size(), 4U);
  EXPECT_EQ(loop.copies()[3].source, 1);
  EXPECT_EQ(loop.copies()[3].destination, 14);
  EXPECT_EQ(allocator->free_blocks(), 64 - 3);
}

TEST(Speculation, CopyBackKeepsTheSequencesOwnBlocks) {
  const auto allocator = make_kv_allocator("region", {64, 8});
  ServingLoop loop(speculative(Speculation::Commit::kCopyBack, 1), {request(30, 20)}, *allocator);
  loop.begin_step();
  EXPECT_EQ(loop.running()[0].blocks, (std::vector<BlockId>{0, 1, 2}));
  EXPECT_EQ(loop.running()[0].table_version, 1U);
  const auto copies = loop.copies();
  ASSERT_EQ(copies.size(), 4U + 2U);
  EXPECT_EQ(copies[4].reason, BlockCopy::Reason::kCopyBack);
  EXPECT_EQ(copies[4].destination, 1);
  EXPECT_EQ(copies[4].offset_tokens, 14);
  EXPECT_EQ(copies[4].tokens, 2);
  EXPECT_EQ(copies[5].source, copies[4].source + 1);
  EXPECT_EQ(copies[5].destination, 2);
  EXPECT_EQ(copies[5].offset_tokens, 0);
  EXPECT_EQ(copies[5].tokens, 2);
  EXPECT_EQ(loop.counters().copied_back_tokens, 4);
  EXPECT_EQ(allocator->free_blocks(), 64 - 3);
}

TEST(Speculation, AFullLastBlockNeedsNoCopyOnWrite) {
  const auto allocator = make_kv_allocator("region", {64, 8});
  ServingLoop loop(speculative(Speculation::Commit::kSplice, 1), {request(32, 20)}, *allocator);
  loop.begin_step();
  EXPECT_EQ(loop.copies().size(), 0U);
  EXPECT_EQ(loop.running()[0].blocks.size(), 3U);
  EXPECT_EQ(loop.running()[0].table_version, 1U) << "appending changes no block of the table";
}

TEST(Speculation, WithEveryDraftWrongARoundYieldsOneToken) {
  const auto allocator = make_kv_allocator("region", {64, 8});
  ServingLoop loop(speculative(Speculation::Commit::kCopyBack, 0), {request(30, 5)}, *allocator);
  while (!loop.done()) {
    loop.begin_step();
    loop.end_step();
  }
  EXPECT_EQ(loop.counters().steps, 5);
}

TEST(Speculation, TheLastRoundIsLimitedToWhatRemains) {
  const auto allocator = make_kv_allocator("region", {64, 8});
  ServingLoop loop(speculative(Speculation::Commit::kCopyBack, 1), {request(30, 5)}, *allocator);
  while (!loop.done()) {
    loop.begin_step();
    loop.end_step();
  }
  EXPECT_EQ(loop.counters().steps, 2);
  EXPECT_EQ(loop.counters().generated_tokens, 5);
}

TEST(Speculation, WithoutRoomForBranchesTheRoundIsPlainAndCounted) {
  const auto allocator = make_kv_allocator("region", {8, 8});
  ServingLoop loop(speculative(Speculation::Commit::kSplice, 1), {request(30, 20)}, *allocator);
  loop.begin_step();
  EXPECT_EQ(loop.running()[0].tokens, 31);
  EXPECT_EQ(loop.counters().speculation_stalls, 1);
  EXPECT_EQ(loop.counters().speculation_rounds, 0);
}

TEST(Speculation, ASpanHasItsScratchAtItsEndInEveryRound) {
  const auto allocator = make_kv_allocator("contiguous", {64, 8});
  ServingLoop loop(speculative(Speculation::Commit::kSplice, 1), {request(30, 20)}, *allocator);
  loop.begin_step();
  // 50 tokens are 4 blocks, and 4 branches of at most 15 + 4 tokens are 8 more.
  EXPECT_EQ(allocator->free_blocks(), 64 - 12);
  EXPECT_EQ(loop.running()[0].blocks, (std::vector<BlockId>{0, 1, 2}));
  EXPECT_EQ(loop.copies()[0].destination, 4);
}

// 0.8, then 0.8 x 0.8^2, then that x 0.8^3: 1 + 0.8 + 0.512 + 0.262144 tokens a round.
TEST(Speculation, AcceptsAsManyDraftsAsItsProbabilitySays) {
  const auto allocator = make_kv_allocator("region", {8192, 8});
  ServingLoop loop(speculative(Speculation::Commit::kCopyBack, 0.8), {request(16, 100000)},
                   *allocator);
  while (!loop.done()) {
    loop.begin_step();
    loop.end_step();
  }
  EXPECT_NEAR(100000.0 / static_cast<double>(loop.counters().speculation_rounds), 2.574, 0.02);
}

TEST(Speculation, RefusesWhatIsOutOfRangeAllAtOnce) {
  ServingCounters counters;
  try {
    Speculator speculator({Speculation::Commit::kSplice, 0, 0, 1.5, 0}, 16, counters);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "speculation: `branches` must be in [1, 1024]\n"
                 "speculation: `drafts` must be in [1, 1024]\n"
                 "speculation: `acceptance` must be in [0, 1]");
  }
}

}  // namespace
}  // namespace lockstep
