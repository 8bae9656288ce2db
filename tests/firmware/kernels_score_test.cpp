// The placement score against the study's reference vectors and against placements whose score is
// known by hand.
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "firmware/kernels/score.h"
#include "firmware/kernels/score_vectors.h"
#include "firmware/kernels/sequence_stream.h"
#include "tests/firmware/kernels_plain_walk.h"

namespace lockstep {
namespace {

constexpr Reorder kStudyReorder{ReorderMode::kWindow, 64};

std::vector<ScoreVector> reference() {
  std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/data/score/score_vectors.json");
  std::stringstream text;
  text << file.rdbuf();
  return parse_score_vectors(text.str(), "score_vectors.json", kStudyStack);
}

TEST(Score, EqualsEveryReferenceVector) {
  const auto vectors = reference();
  ASSERT_EQ(vectors.size(), 216U);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto score = score_of(vectors[i], kStudyStack);
    ASSERT_TRUE(vectors[i].expected) << "vector " << i;
    const auto& expected = *vectors[i].expected;
    EXPECT_EQ(score.bursts, expected.counts.bursts) << "vector " << i;
    EXPECT_EQ(score.commands, expected.counts.commands) << "vector " << i;
    EXPECT_EQ(score.hits, expected.counts.hits) << "vector " << i;
    EXPECT_NEAR(row_hit_ratio(score), expected.m1, 1e-9) << "vector " << i;
    EXPECT_NEAR(bank_participation(score, kStudyStack), expected.m2, 1e-9) << "vector " << i;
    EXPECT_NEAR(bandwidth_gbps(score, kStudyStack, kStudyTiming), expected.m3_gbps, 1e-4)
        << "vector " << i;
  }
}

TEST(Score, PerfectPlacementHits31Of32Exactly) {
  // A region of 8 blocks is one row of all banks and channels: 32 commands, the first a miss.
  const KvLayout layout(study_map("host-cacheline"), kStudyStack, {16, 4096});
  std::vector<BlockId> blocks;
  for (const int region : {3, 0, 7, 1}) {
    for (int i = 0; i < 8; ++i) blocks.push_back(region * 8 + i);
  }
  const auto kernels = visits_of(layout, kStudyReorder, blocks, 16);
  EXPECT_EQ(kernels.score.hits * 32, kernels.score.commands * 31);
  EXPECT_EQ(kernels.visits[0], (RowVisits{{3, 0, 32}, {0, 0, 32}, {7, 0, 32}, {1, 0, 32}}));
  EXPECT_EQ(bank_participation(kernels.score, kStudyStack), 1.0);
  // 32 channels x 512 B / 4.3 ns x 4.3 / (31/32 x 4.3 + 1/32 x 45), worked outside.
  EXPECT_NEAR(bandwidth_gbps(kernels.score, kStudyStack, kStudyTiming), 2940.482333, 1e-6);
}

TEST(Score, RandomPlacementOnOneBankHitsOnceInAsManyRows) {
  // Tokens of one column, all in bank 0 of channel 0 and in 16 rows: a hit is one chance in 16.
  const auto map = study_map("host-cacheline");
  const KvLayout layout(map, kStudyStack, {1, 32});
  std::mt19937_64 random(3);
  std::vector<BlockId> blocks;
  for (int i = 0; i < 20'000; ++i) {
    Location location;
    location.row = static_cast<int>(random() % 16);
    location.column = static_cast<int>(random() % 32);
    blocks.push_back(static_cast<BlockId>(map.encode(location) / 32));
  }
  const auto kernels = visits_of(layout, {ReorderMode::kInOrder, 0}, blocks, 1);
  EXPECT_EQ(kernels.score.commands, 20'000);
  // Standard deviation sqrt(1/16 x 15/16 / 20000) = 0.0017; seed 3.
  EXPECT_NEAR(row_hit_ratio(kernels.score), 1.0 / 16.0, 3 * 0.0017);
}

TEST(Score, OneTokenOfHostCachelineIsTwoBanksTwiceInEveryChannel) {
  const KvLayout layout(study_map("host-cacheline"), kStudyStack, {16, 4096});
  const auto kernels = visits_of(layout, kStudyReorder, std::vector<BlockId>{0}, 1);
  EXPECT_EQ(kernels.score, (Score{128, 64, 32}));
  EXPECT_EQ(bank_participation(kernels.score, kStudyStack), 2.0 / 16.0);
}

}  // namespace
}  // namespace lockstep
