// Which stage an instant is charged to, on spans small enough to do by hand.
#include "firmware/sparse/stage_spans.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

std::int64_t of(const PerStage<Cycles>& stages, SparseStage stage) {
  return stages[static_cast<std::size_t>(stage)].count;
}

// Speculation runs from 5 to 20 behind selection (to 10) and top-K (to 14): six clocks show.
TEST(StageSpans, SpeculationShowsOnlyWhereNothingElseRuns) {
  StageSpans spans;
  spans.add(SparseStage::kSpeculation, {5}, {20});
  spans.add(SparseStage::kSelection, {0}, {10});
  spans.add(SparseStage::kTopK, {10}, {14});
  spans.add(SparseStage::kRepair, {20}, {23});
  const auto busy = spans.busy();
  const auto exposed = spans.exposed();
  EXPECT_EQ(of(busy, SparseStage::kSpeculation), 15);
  EXPECT_EQ(of(exposed, SparseStage::kSelection), 10);
  EXPECT_EQ(of(exposed, SparseStage::kTopK), 4);
  EXPECT_EQ(of(exposed, SparseStage::kSpeculation), 6);
  EXPECT_EQ(of(exposed, SparseStage::kRepair), 3);
}

TEST(StageSpans, ExposedTimesAddUpToTheWhole) {
  StageSpans spans;
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < 40; ++i) {
    const auto stage =
        static_cast<SparseStage>(i * 7 % static_cast<std::int64_t>(kSparseStageCount));
    const std::int64_t begin = i * 3;
    end = std::max(end, begin + 3 + i * 5 % 11);
    spans.add(stage, {begin}, {begin + 3 + i * 5 % 11});
  }
  std::int64_t sum = 0;
  for (const Cycles part : spans.exposed()) sum += part.count;
  EXPECT_EQ(sum, end);
}

TEST(StageSpans, ALayerThatWaitsForNothingIsABug) {
  StageSpans spans;
  spans.add(SparseStage::kQkv, {0}, {4});
  spans.add(SparseStage::kFfn, {5}, {9});
  EXPECT_THROW(spans.exposed(), InternalError);
}

}  // namespace
}  // namespace lockstep
