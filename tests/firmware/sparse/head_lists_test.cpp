// Lists and packed blocks of one head, on series small enough to do by hand or against the plain
// predictor.
#include "firmware/sparse/head_lists.h"

#include <numeric>

#include <gtest/gtest.h>

#include "firmware/dsa/random_stream.h"

namespace lockstep {
namespace {

constexpr Theta kTheta{0.2, 0.1, 0};

std::vector<BlockId> in_order(std::size_t blocks) {
  std::vector<BlockId> places(blocks);
  std::iota(places.begin(), places.end(), 0);
  return places;
}

ScoreSeries random_series(std::int64_t steps, std::int64_t blocks) {
  RandomStream random(7, 0, 0, 0);
  ScoreSeries series{steps, blocks, {}};
  for (std::int64_t i = 0; i < steps * blocks; ++i) series.scores.push_back(random.uniform());
  return series;
}

ListOptions options_of(const ScoreSeries& series) {
  ListOptions options;
  options.top_k = 4;
  options.calibration_rows = 3;
  options.decode_steps = series.steps - 3;
  options.delta = 1.5;
  options.theta = kTheta;
  options.row_cost = {40, 10};
  options.blocks_per_row = 4;
  return options;
}

TEST(HeadLists, ArePlainSelectionAndPrediction) {
  const auto series = random_series(12, 32);
  const auto places = in_order(32);
  const auto lists = make_head_lists(series, options_of(series), HotBlocks(places, 32, 0));
  EmaPredictor predictor(kTheta);
  for (std::int64_t t = 0; t < series.steps; ++t) {
    if (t >= 3) {
      EXPECT_EQ(lists.prediction(t - 3), predictor.predict(6));
      EXPECT_EQ(lists.selection(t - 3), top_blocks(series.row(t), 4));
      EXPECT_EQ(lists.last_selection(t - 3), top_blocks(series.row(t - 1), 4));
    }
    predictor.observe(series.row(t));
  }
  EXPECT_DOUBLE_EQ(lists.recall_sum, 9) << "nine steps, all of the best K in each";
}

// Four blocks of four rows cost 4 x (40 + 10) = 200 ns at most, a row of four blocks 80 ns: two
// rows where all four lie apart, one where they share two rows or less.
TEST(HeadLists, RegionsTakeNoLongerThanTheBestBlocks) {
  const auto series = random_series(12, 32);
  const auto places = in_order(32);
  auto options = options_of(series);
  options.rule = ListRule::kRegions;
  const auto lists = make_head_lists(series, options, HotBlocks(places, 32, 0));
  const RowOfBlock row_of = [](BlockIndex block) { return block / 4; };
  for (std::int64_t step = 0; step < options.decode_steps; ++step) {
    const auto best = top_blocks(series.row(step + 3), 4);
    EXPECT_LE(reading_ns(lists.selection(step), row_of, options.row_cost),
              reading_ns(best, row_of, options.row_cost));
    EXPECT_EQ(lists.selection(step).size() % 4, 0U) << "whole rows";
  }
}

// The scores of a step are not known when it is predicted: others change its A, not its P.
TEST(HeadLists, APredictionKnowsNothingOfItsOwnStep) {
  const auto places = in_order(32);
  const auto series = random_series(12, 32);
  auto other = series;
  const std::int64_t last = other.steps - 1;
  // The best four lie in one row, where the random ones lie in several: less time, fewer regions.
  for (std::int64_t b = 0; b < 32; ++b)
    other.scores[static_cast<std::size_t>(last * 32 + b)] = b < 4 ? 1 : 0;
  for (const auto rule : {ListRule::kPlain, ListRule::kRowAware, ListRule::kRegions}) {
    auto options = options_of(series);
    options.rule = rule;
    const auto a = make_head_lists(series, options, HotBlocks(places, 32, 0));
    const auto b = make_head_lists(other, options, HotBlocks(places, 32, 0));
    EXPECT_NE(a.selection(last - 3), b.selection(last - 3));
    EXPECT_EQ(a.prediction(last - 3), b.prediction(last - 3))
        << kListRules[static_cast<std::size_t>(rule)];
  }
}

TEST(HeadLists, ARowAwarePredictionTakesNoLongerThanThePlainOne) {
  const auto series = random_series(40, 32);
  const auto places = in_order(32);
  auto options = options_of(series);
  const auto plain = make_head_lists(series, options, HotBlocks(places, 32, 0));
  options.rule = ListRule::kRowAware;
  const auto aware = make_head_lists(series, options, HotBlocks(places, 32, 0));
  const RowOfBlock row_of = [](BlockIndex block) { return block / 4; };
  for (std::int64_t step = 0; step < options.decode_steps; ++step) {
    EXPECT_LE(reading_ns(aware.prediction(step), row_of, options.row_cost),
              reading_ns(plain.prediction(step), row_of, options.row_cost));
    EXPECT_EQ(aware.selection(step), plain.selection(step));
  }
}

// A quarter of four blocks is one: three of the best four stay at least.
TEST(HeadLists, ARowSlackCostsNoMoreRecallThanItSays) {
  const auto series = random_series(40, 32);
  const auto places = in_order(32);
  auto options = options_of(series);
  options.row_slack = 0.25;
  const auto lists = make_head_lists(series, options, HotBlocks(places, 32, 0));
  const RowOfBlock row_of = [](BlockIndex block) { return block / 4; };
  double recall = 0;
  std::int64_t rows_saved = 0;
  for (std::int64_t step = 0; step < options.decode_steps; ++step) {
    const auto best = top_blocks(series.row(step + 3), 4);
    const auto kept = count_common(lists.selection(step), best);
    EXPECT_EQ(lists.selection(step).size(), 4U);
    EXPECT_GE(kept, 3U);
    recall += static_cast<double>(kept) / 4;
    rows_saved += rows_touched(best, row_of) - rows_touched(lists.selection(step), row_of);
  }
  EXPECT_DOUBLE_EQ(lists.recall_sum, recall);
  EXPECT_GT(rows_saved, 0);
}

TEST(HotBlocks, TheBestMoveInAndTheWorstGiveWay) {
  const auto places = in_order(6);
  HotBlocks hot(places, 100, 2);
  const std::vector<double> first = {0.1, 0.9, 0.2, 0.8, 0.3, 0.0};
  EXPECT_EQ(hot.follow(first, 2).size(), 2U);
  EXPECT_EQ(hot.place(1), 100) << "the best takes the first slot";
  EXPECT_EQ(hot.place(3), 101);
  EXPECT_EQ(hot.place(4), 4) << "the others stay at home";
  // Block 5 is now best, block 3 second: block 1 gives way, and lies at home again.
  const std::vector<double> second = {0.1, 0.2, 0.2, 0.8, 0.3, 0.9};
  const auto copies = hot.follow(second, 2);
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_EQ(copies[0].block, 5);
  EXPECT_EQ(copies[0].slot, 0);
  EXPECT_EQ(hot.place(5), 100);
  EXPECT_EQ(hot.place(1), 1);
  EXPECT_EQ(hot.place(3), 101);
}

TEST(HotBlocks, NoMoreAreCopiedThanAllowed) {
  const auto places = in_order(8);
  HotBlocks hot(places, 8, 4);
  const std::vector<double> scores = {8, 7, 6, 5, 4, 3, 2, 1};
  EXPECT_EQ(hot.follow(scores, 1).size(), 1U);
  EXPECT_EQ(hot.follow(scores, 0).size(), 0U);
  EXPECT_EQ(hot.follow(scores, 9).size(), 3U);
  EXPECT_TRUE(hot.follow(scores, 9).empty()) << "all that is wanted is there";
}

}  // namespace
}  // namespace lockstep
