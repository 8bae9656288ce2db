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

// Neighbours half of the time, otherwise from anywhere in a pool of 2 to 256 blocks: in small pools
// a sequence comes back to the rows it left.
std::vector<BlockId> random_table(Random& random, std::int64_t blocks) {
  const auto pool = std::uint64_t{2} << (random() % 8);
  std::vector<BlockId> table;
  for (std::int64_t i = 0; i < blocks; ++i) {
    const bool neighbour = !table.empty() && random() % 2 == 0;
    table.push_back(neighbour ? table.back() + 1 : static_cast<BlockId>(random() % pool));
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
  for (int step = 0; step < 8; ++step) {
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

void grow_in_every_order(std::string_view map_name, const KvShape& shape, std::uint64_t seed) {
  const auto map = study_map(map_name);
  const KvLayout layout(map, kStudyStack, shape);
  for (const auto& reorder : kReorders) {
    SCOPED_TRACE(std::string(map_name) + ", " + std::to_string(shape.kv_bytes_per_token) +
                 " B a token, block " + std::to_string(shape.block_tokens) + ", window " +
                 std::to_string(reorder.window_bursts));
    ASSERT_NO_FATAL_FAILURE(grow(layout, map, reorder, seed++));
  }
}

TEST(SequenceStream, EqualsThePlainWalkOfAllChannelsHoweverItGrows) {
  std::uint64_t seed = 0;
  for (const auto& named : kAddressMaps) {
    for (const auto kv_bytes_per_token : kTokenBytes) {
      for (const auto block_tokens : kBlockTokens) {
        ASSERT_NO_FATAL_FAILURE(
            grow_in_every_order(named.name, {block_tokens, kv_bytes_per_token}, seed));
        seed += std::size(kReorders);
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

TEST(SequenceStream, RefusesAWindowItCannotHold) {
  const KvLayout layout(study_map("host-cacheline"), kStudyStack, {16, 4096});
  for (const int window : {0, 65536}) {
    try {
      const SequenceStream stream(layout, {ReorderMode::kWindow, window});
      FAIL() << "accepted a window of " << window;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "a reorder window must hold 1 to 65535 bursts, but window is " +
                                  std::to_string(window));
    }
  }
}

TEST(SequenceStream, HeadsShardedOverChannelGroupsLeaveEveryChannelItsKernel) {
  // A group is a stack of fewer channels that holds its share of each token: the same block table
  // gives each channel the kernel it has without sharding.
  const Reorder reorder{ReorderMode::kWindow, 64};
  const std::vector<BlockId> table = {8, 9, 10, 31, 2, 3};
  const KvLayout whole(study_map("host-cacheline"), kStudyStack, {16, 4096});
  const auto expected = visits_of(whole, reorder, table, 5);
  for (const int groups : {2, 4, 8}) {
    StackGeometry group = kStudyStack;
    group.channels /= groups;
    const KvLayout share(std::get<AddressMap>(AddressMap::parse("host-cacheline", group)), group,
                         {16, 4096 / groups});
    const auto kernels = visits_of(share, reorder, table, 5);
    EXPECT_EQ(kernels.visits, expected.visits) << groups << " groups";
    EXPECT_EQ(kernels.score.commands * groups, expected.score.commands) << groups << " groups";
    EXPECT_EQ(share.blocks_in_stack(), whole.blocks_in_stack());
  }
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
