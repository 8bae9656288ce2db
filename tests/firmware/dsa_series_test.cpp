// Lists and statistics of a score series, on cases worked by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "firmware/dsa/score_series.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

TEST(RepairLists, SplitIntoMissedAndWasted) {
  const auto lists = repair_lists({1, 4, 6, 9}, {0, 4, 9});
  EXPECT_EQ(lists.missed, (BlockList{0}));
  EXPECT_EQ(lists.wasted, (BlockList{1, 6}));
  EXPECT_EQ(common_blocks(lists.predicted, lists.selected), (BlockList{4, 9}));
  EXPECT_EQ(all_blocks(lists.predicted, lists.missed), (BlockList{0, 1, 4, 6, 9}))
      << "P and M cover A";
}

TEST(RepairLists, AreEmptyWhereNothingDiffers) {
  EXPECT_TRUE(repair_lists({2, 3}, {2, 3}).missed.empty());
  EXPECT_TRUE(repair_lists({2, 3}, {2, 3}).wasted.empty());
  EXPECT_EQ(repair_lists({}, {2, 3}).missed, (BlockList{2, 3}));
  EXPECT_EQ(repair_lists({2, 3}, {}).wasted, (BlockList{2, 3}));
}

TEST(Overlap, IsTheCoveredShareOfTheSelection) {
  EXPECT_EQ(overlap({1, 2, 3}, {2, 3, 4, 5}), 0.5);
  EXPECT_EQ(overlap({}, {1}), 0);
  EXPECT_EQ(overlap({1}, {}), 1);
}

TEST(BlocksPerRegion, CountsTouchedRegionsOnly) {
  EXPECT_EQ(blocks_per_region({0, 7, 8, 31}, 8), 4.0 / 3);
  EXPECT_EQ(blocks_per_region({}, 8), 0);
  // One of four blocks chosen: a region of two is touched with probability 7/16 and holds 1/2 on
  // average, so a touched one holds 8/7.
  EXPECT_DOUBLE_EQ(independent_blocks_per_region(1, 4, 2), 8.0 / 7);
}

ScoreSeries series_of(const std::vector<std::vector<double>>& rows) {
  ScoreSeries series;
  series.steps = static_cast<std::int64_t>(rows.size());
  series.blocks = static_cast<std::int64_t>(rows[0].size());
  for (const auto& row : rows) series.scores.insert(series.scores.end(), row.begin(), row.end());
  return series;
}

TEST(SeriesStatistics, AreThoseOfASeriesWorkedByHand) {
  // A: {0,1} in rows 0 and 1, {0,2}, {1,2}. With alpha 1 the prediction is the last row.
  const auto series = series_of({{4, 3, 2, 1}, {4, 3, 2, 1}, {6, 1, 2, 0}, {0, 1, 3, 1}});
  SeriesOptions options;
  options.top_k = 2;
  options.calibration_rows = 1;
  options.deltas = {1, 1.5};
  options.lags = {1, 2, 9};
  options.region_blocks = 2;
  options.theta = Theta{1, 0, 0};
  const auto result = series_statistics(series, options);
  EXPECT_EQ(result.decode_steps, 3);
  EXPECT_EQ(result.reuse_overlap_ratio, 0.5) << "pairs {0,1}-{0,2} and {0,2}-{1,2}";
  EXPECT_EQ(result.lag_overlap_ratio[1], 0.5) << "{0,1} and {1,2}: 1 wins over 3 by its id";
  EXPECT_TRUE(std::isnan(result.lag_overlap_ratio[2]));
  const auto& at_1 = result.deltas[0];
  // P: {0,1}, {0,1}, {0,2} against A: {0,1}, {0,2}, {1,2}.
  EXPECT_DOUBLE_EQ(at_1.overlap_ratio, (1 + 0.5 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(at_1.weighted_recall_ratio, (1 + 6.0 / 8 + 3.0 / 4) / 3);
  EXPECT_EQ(at_1.missed_by_step, (std::vector<std::int64_t>{0, 1, 1}));
  EXPECT_DOUBLE_EQ(at_1.wasted_blocks, 2.0 / 3);
  EXPECT_DOUBLE_EQ(at_1.turnover_ratio, 0.25) << "none, then 2 replaces 1";
  EXPECT_DOUBLE_EQ(at_1.predicted_blocks_per_region, (2 + 2 + 1) / 3.0);
  EXPECT_DOUBLE_EQ(at_1.missed_blocks_per_region, 1);
  EXPECT_DOUBLE_EQ(at_1.overlap_ratio_p5, 0.5);
  // Three of the last row: {0,1,2} each time, which covers {1,2} too.
  EXPECT_DOUBLE_EQ(result.deltas[1].overlap_ratio, 1);
  EXPECT_DOUBLE_EQ(result.deltas[1].reuse_overlap_ratio, 1);
}

TEST(SeriesStatistics, SumTheSoftmaxMassOfWhatIsCoveredAndWasted) {
  const auto series = series_of({{4, 3, 1}, {1, 3, 4}});
  const auto mass = series_of({{0, 0, 0}, {0.1, 0.25, NAN}});
  SeriesOptions options;
  options.top_k = 1;
  options.calibration_rows = 1;
  options.deltas = {2};
  options.theta = Theta{1, 0, 0};
  options.mass = &mass;
  const auto result = series_statistics(series, options);  // P = {0, 1}, A = {2}
  EXPECT_DOUBLE_EQ(result.deltas[0].wasted_mass_ratio, 0.35);
  EXPECT_DOUBLE_EQ(result.deltas[0].covered_mass_ratio, 0.35) << "block 2 has no mass here";
}

TEST(SeriesStatistics, NeedACalibrationRowAndADecodeRow) {
  const auto series = series_of({{1, 2}, {1, 2}});
  SeriesOptions options;
  options.top_k = 1;
  EXPECT_THROW(series_statistics(series, options), InternalError);
  options.calibration_rows = 2;
  EXPECT_THROW(series_statistics(series, options), InternalError);
}

}  // namespace
}  // namespace lockstep
