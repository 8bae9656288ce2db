// Incremental streams against the plain walk of every channel, under growth, replaced tables,
// several maps and shapes; and lists of blocks that are no prefix of a table.
#include <random>

#include <gtest/gtest.h>

#include "firmware/kernels/sequence_stream.h"
#include "tests/firmware/kernels_plain_walk.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr Reorder kReorders[] = {
    {ReorderMode::kWindow, 64},
    {ReorderMode::kWindow, 1},
    {ReorderMode::kWindow, 23},
    {ReorderMode::kInOrder, 0},
};

constexpr std::int64_t kTokenBytes[] = {512, 2048, 4096, 16384, 96, 6144};
constexpr std::int64_t kBlockTokens[] = {4, 7, 10, 16, 64, 256};

using Random = std::mt19937_64;

// A pool of a few regions, so that rows meet again; neighbours half of the time.
std::vector<BlockId> random_table(Random& random, std::int64_t blocks) {
  std::vector<BlockId> table;
  for (std::int64_t i = 0; i < blocks; ++i) {
    const auto next = table.empty() || random() % 2 == 0 ? static_cast<BlockId>(random() % 100)
                                                         : table.back() + 1;
    table.push_back(next);
  }
  return table;
}

std::vector<RowVisits> visits_by_class(const KvLayout& layout, const SequenceStream& stream) {
  std::vector<RowVisits> result;
  for (std::size_t i = 0; i < layout.classes().size(); ++i) result.push_back(stream.visits(i));
  return result;
}

// Grows a sequence by single tokens and by bursts of them; now and then replaces or shortens it.
void grow(const KvLayout& layout, const AddressMap& map, const Reorder& reorder,
          std::uint64_t seed) {
  Random random(seed);
  const auto& shape = layout.shape();
  const auto limit = 40 + 100'000 / shape.kv_bytes_per_token;
  auto table = random_table(random, limit / shape.block_tokens + 1);
  SequenceStream stream(layout, reorder);
  std::int64_t tokens = 0;
  std::uint64_t version = 1;
  for (int step = 0; step < 12; ++step) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
    const auto action = random() % 8;
    if (action == 0) {
      table = random_table(random, limit / shape.block_tokens + 1);
      ++version;
    }
    if (action == 1) tokens /= 2;
    const auto more = static_cast<std::int64_t>(random() % 3 == 0 ? random() % 30 : 1);
    tokens = std::min(limit, tokens + more);
    stream.resync(table, tokens, version);
    ASSERT_EQ(stream.tokens(), tokens);
    ASSERT_EQ(stream.score().bursts * 32, tokens * shape.kv_bytes_per_token);
    const auto plain = plain_walk(map, shape, reorder, runs_of(table, tokens, shape.block_tokens));
    expect_equal(layout, plain, stream.score(), visits_by_class(layout, stream));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(SequenceStream, EqualsThePlainWalkOfAllChannelsHoweverItGrows) {
  std::uint64_t seed = 0;
  for (const auto& named : kAddressMaps) {
    const auto map = study_map(named.name);
    for (const auto kv_bytes_per_token : kTokenBytes) {
      for (const auto block_tokens : kBlockTokens) {
        const KvLayout layout(map, kStudyStack, {block_tokens, kv_bytes_per_token});
        const auto& reorder = kReorders[seed % std::size(kReorders)];
        SCOPED_TRACE(std::string(named.name) + ", " + std::to_string(kv_bytes_per_token) +
                     " B a token, block " + std::to_string(block_tokens) + ", window " +
                     std::to_string(reorder.window_bursts));
        ASSERT_NO_FATAL_FAILURE(grow(layout, map, reorder, ++seed));
      }
    }
  }
}

TEST(SequenceStream, ARebuiltTableLeavesNothingOfTheOldOne) {
  const KvLayout layout(study_map("host-cacheline"), kStudyStack, {16, 4096});
  SequenceStream stream(layout, {ReorderMode::kWindow, 64});
  stream.resync(std::vector<BlockId>{5, 9}, 20, 1);
  stream.resync(std::vector<BlockId>{0}, 16, 2);
  EXPECT_EQ(stream.visits(0), (RowVisits{{0, 0, 4}}));
  stream.resync(std::vector<BlockId>{0}, 4, 2);
  EXPECT_EQ(stream.visits(0), (RowVisits{{0, 0, 2}})) << "tokens 0..3 touch banks 0..7, twice";
}

TEST(SequenceStream, ATableTooShortForItsTokensIsOurBug) {
  const KvLayout layout(study_map("host-cacheline"), kStudyStack, {16, 4096});
  SequenceStream stream(layout, {ReorderMode::kWindow, 64});
  EXPECT_THROW(stream.resync(std::vector<BlockId>{0}, 17, 1), InternalError);
}

TEST(VisitsOf, EqualsThePlainWalkOnAnyListOfBlocks) {
  Random random(11);
  for (int step = 0; step < 60; ++step) {
    SCOPED_TRACE("seed 11, step " + std::to_string(step));
    const auto map = study_map(kAddressMaps[random() % std::size(kAddressMaps)].name);
    const KvShape shape{kBlockTokens[random() % 4], kTokenBytes[random() % std::size(kTokenBytes)]};
    const KvLayout layout(map, kStudyStack, shape);
    const auto& reorder = kReorders[random() % std::size(kReorders)];
    const auto blocks = random_table(random, 1 + static_cast<std::int64_t>(random() % 8));
    const auto last =
        1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(shape.block_tokens));
    const auto tokens = (static_cast<std::int64_t>(blocks.size()) - 1) * shape.block_tokens + last;
    const auto kernels = visits_of(layout, reorder, blocks, last);
    const auto plain = plain_walk(map, shape, reorder, runs_of(blocks, tokens, shape.block_tokens));
    ASSERT_NO_FATAL_FAILURE(expect_equal(layout, plain, kernels.score, kernels.visits));
  }
}

TEST(VisitsOf, EqualsThePlainWalkOnPartsOfBlocks) {
  Random random(12);
  for (int step = 0; step < 60; ++step) {
    SCOPED_TRACE("seed 12, step " + std::to_string(step));
    const auto map = study_map(kAddressMaps[random() % std::size(kAddressMaps)].name);
    const KvShape shape{16, kTokenBytes[random() % std::size(kTokenBytes)]};
    const KvLayout layout(map, kStudyStack, shape);
    const auto& reorder = kReorders[random() % std::size(kReorders)];
    std::vector<TokenRun> runs;
    for (const auto block : random_table(random, 6)) {
      const auto first = static_cast<std::int64_t>(random() % 16);
      runs.push_back({block, first, 1 + static_cast<std::int64_t>(random() % 16) % (16 - first)});
    }
    const auto kernels = visits_of(layout, reorder, runs);
    const auto plain = plain_walk(map, shape, reorder, runs);
    ASSERT_NO_FATAL_FAILURE(expect_equal(layout, plain, kernels.score, kernels.visits));
  }
}

TEST(VisitsOf, AnEmptyListIsEmptyKernels) {
  const KvLayout layout(study_map("pim-friendly"), kStudyStack, {16, 4096});
  const auto kernels = visits_of(layout, {ReorderMode::kWindow, 64}, std::vector<BlockId>{}, 0);
  EXPECT_EQ(kernels.visits, std::vector<RowVisits>(32));
  EXPECT_EQ(kernels.score, Score{});
}

}  // namespace
}  // namespace lockstep
