// What rows cost, and predictions that spend time instead of blocks.
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "firmware/dsa/row_lists.h"

namespace lockstep {
namespace {

// Four commands of 4.3 ns a block; 58 ns for a block in a row of its own (docs/dsa.md).
constexpr RowCost kCost{58 - 17.2, 17.2};

TEST(RowLists, CostARowOnceAndEveryBlock) {
  const RowOfBlock row_of = [](BlockIndex b) { return b % 3; };
  EXPECT_EQ(rows_touched({0, 3, 6}, row_of), 1);
  EXPECT_EQ(rows_touched({0, 1, 3}, row_of), 2);
  EXPECT_EQ(rows_touched({}, row_of), 0);
  EXPECT_DOUBLE_EQ(reading_ns({0, 1, 3}, row_of, kCost), 2 * 58 + 17.2);
}

TEST(RowAwarePrediction, PrefersALessProbableBlockInAnOpenRow) {
  const RowOfBlock pair = [](BlockIndex b) { return b / 2; };
  // Rows {0.9, 0.5}, {0.6, 0}, {0.4, 0.4}. Row 0 gives 1.4 in 75.2 ns, then row 2 gives 0.8 in
  // 75.2 ns (0.0106/ns), which beats row 1 with 0.6 in 58 ns (0.0103/ns).
  const std::vector<double> probability = {0.9, 0.5, 0.6, 0, 0.4, 0.4};
  EXPECT_EQ(row_aware_prediction(probability, pair, kCost, 151), (BlockList{0, 1, 4, 5}));
  EXPECT_EQ(row_aware_prediction(probability, pair, kCost, 140), (BlockList{0, 1, 2}))
      << "64.8 ns are left: row 2 offers one block of 0.4, row 1 one of 0.6";
  EXPECT_EQ(row_aware_prediction(probability, pair, kCost, 75.1), BlockList{0});
  EXPECT_EQ(row_aware_prediction(probability, pair, kCost, 57), BlockList{});
  EXPECT_EQ(row_aware_prediction(probability, pair, kCost, 1e6), (BlockList{0, 1, 2, 4, 5}))
      << "what is never selected is never read";
}

TEST(RowAwarePrediction, IsWorthMoreThanTheMostProbableBlocksInTheSameTime) {
  std::mt19937_64 random(17);
  const RowOfBlock row_of = [](BlockIndex b) { return b / 8; };
  double greedy_worth = 0;
  double plain_worth = 0;
  for (int step = 0; step < 200; ++step) {
    std::vector<double> probability(256);
    for (double& p : probability) p = std::pow(static_cast<double>(random() >> 11U) * 0x1p-53, 4);
    const BlockList plain = top_blocks(probability, 24);
    const double budget_ns = reading_ns(plain, row_of, kCost);
    const BlockList greedy = row_aware_prediction(probability, row_of, kCost, budget_ns);
    ASSERT_TRUE(is_block_list(greedy)) << "seed 17, step " << step;
    ASSERT_LE(reading_ns(greedy, row_of, kCost), budget_ns + 1e-6) << "seed 17, step " << step;
    const auto worth = [&probability](const BlockList& list) {
      return std::accumulate(list.begin(), list.end(), 0.0, [&](double sum, BlockIndex b) {
        return sum + probability[static_cast<std::size_t>(b)];
      });
    };
    ASSERT_GE(worth(greedy), worth(plain)) << "seed 17, step " << step;
    greedy_worth += worth(greedy);
    plain_worth += worth(plain);
  }
  EXPECT_GT(greedy_worth, 1.05 * plain_worth);
}

TEST(RowAwarePrediction, IsTheTopListWhenRowsCostNothing) {
  const std::vector<double> probability = {0.1, 0.9, 0.4, 0.8, 0.3};
  const RowOfBlock row_of = [](BlockIndex b) { return b / 2; };
  EXPECT_EQ(row_aware_prediction(probability, row_of, {0, 10}, 30), top_blocks(probability, 3));
}

// Blocks 0, 1 and 4 of eight in pairs a row: the best three are 0, 4, 7, of rows 0, 2, 3.
TEST(TopBlocksByRow, TheLastMayGiveWayToTheNextInAnOpenRow) {
  const RowOfBlock pair = [](BlockIndex b) { return b / 2; };
  const std::vector<double> scores = {9, 6, 1, 2, 8, 5, 3, 7};
  EXPECT_EQ(top_blocks_by_row(scores, 3, 0, pair), (BlockList{0, 4, 7}));
  EXPECT_EQ(top_blocks_by_row(scores, 3, 1, pair), (BlockList{0, 1, 4}))
      << "6 in row 0 for 7 in row 3";
  EXPECT_EQ(top_blocks_by_row(scores, 3, 2, pair), (BlockList{0, 1, 4}))
      << "row 0 is open: 6 is taken; then the best of 8, 7 and 5 opens a row";
  const std::vector<double> gaps = {NAN, 4, 3, NAN, 2, 1};
  EXPECT_EQ(top_blocks_by_row(gaps, 3, 1, pair), (BlockList{1, 2, 4}))
      << "neither of the rivals lies in an open row: the better one";
}

TEST(TopBlocksByRow, KeepsTheBestAndTouchesNoMoreRows) {
  std::mt19937_64 random(5);
  const RowOfBlock row_of = [](BlockIndex b) { return b / 8; };
  std::int64_t plain_rows = 0;
  std::int64_t rows = 0;
  for (int step = 0; step < 200; ++step) {
    std::vector<double> scores(256);
    for (double& score : scores) score = static_cast<double>(random() >> 11U);
    const BlockList chosen = top_blocks_by_row(scores, 40, 8, row_of);
    ASSERT_TRUE(is_block_list(chosen));
    ASSERT_EQ(chosen.size(), 40U);
    ASSERT_EQ(count_common(chosen, top_blocks(scores, 32)), 32U) << "step " << step;
    ASSERT_EQ(count_common(chosen, top_blocks(scores, 48)), 40U) << "step " << step;
    rows += rows_touched(chosen, row_of);
    plain_rows += rows_touched(top_blocks(scores, 40), row_of);
  }
  EXPECT_LT(rows, plain_rows);
}

TEST(TopRegions, TakeWholeRegionsByTheirBestBlock) {
  const std::vector<double> scores = {1, 2, 9, NAN, 5, 5, NAN, NAN, 5};
  EXPECT_EQ(top_regions(scores, 2, 1), BlockList{2});
  EXPECT_EQ(top_regions(scores, 2, 2), (BlockList{2, 4, 5})) << "region 2 before 4 at equal best";
  EXPECT_EQ(top_regions(scores, 2, 9), (BlockList{0, 1, 2, 4, 5, 8}));
}

}  // namespace
}  // namespace lockstep
