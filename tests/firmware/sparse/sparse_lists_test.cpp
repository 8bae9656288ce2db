// The lists of a run: which scores they are chosen by.
#include "firmware/sparse/sparse_lists.h"

#include <gtest/gtest.h>

#include "firmware/dsa/random_stream.h"

namespace lockstep {
namespace {

constexpr int kRows = 7;  // four before the first decode step
constexpr int kBlocks = 64;

ScoreSeries scores(int request, int layer, int head) {
  RandomStream random(static_cast<std::uint64_t>(request), layer, head, 0);
  ScoreSeries series{kRows, kBlocks, {}};
  for (int i = 0; i < kRows * kBlocks; ++i) series.scores.push_back(random.uniform());
  return series;
}

SparseConfig two_requests(Granularity granularity) {
  SparseConfig config;
  config.context_tokens = 1024;
  config.decode_tokens = 3;
  config.batch = 2;
  config.selector = {"quest", 16, 128, 0, 1, 0, 0, granularity};
  config.calibration_rows = 4;
  config.row_cost = {30, 10};
  return config;
}

struct Made {
  explicit Made(const SparseConfig& config)
      : map(std::get<AddressMap>(AddressMap::parse("host-cacheline", {})), {}, 1, config.shape),
        plan(config, map, map),
        lists(config, plan, scores) {}
  KvTensorMap map;
  CachePlan plan;
  SparseLists lists;
};

TEST(SparseLists, OfAHeadAreChosenByItsScores) {
  const Made made(two_requests(Granularity::kKvHead));
  for (int request = 0; request < 2; ++request) {
    for (int head = 0; head < 8; ++head) {
      const auto series = scores(request, 0, head);
      for (int step = 0; step < 3; ++step)
        EXPECT_EQ(made.lists.of(request, 0, head).selection(step),
                  top_blocks(series.row(4 + step), 7));
    }
  }
}

TEST(SparseLists, OfALayerAreChosenByTheSumOfItsHeadsScores) {
  const Made made(two_requests(Granularity::kLayer));
  for (int request = 0; request < 2; ++request) {
    for (int step = 0; step < 3; ++step) {
      std::vector<double> sum(kBlocks);
      for (int head = 7; head >= 0; --head) {
        const auto series = scores(request, 0, head);
        for (std::size_t b = 0; b < kBlocks; ++b) sum[b] += series.row(4 + step)[b];
      }
      const auto best = top_blocks(sum, 7);
      for (int head = 0; head < 8; ++head) {
        const auto& lists = made.lists.of(request, 0, head);
        EXPECT_EQ(lists.selection(step), best) << "head " << head;
        EXPECT_EQ(lists.prediction(step), made.lists.of(request, 0, 0).prediction(step));
      }
    }
  }
  EXPECT_DOUBLE_EQ(made.lists.mean_recall(), 1);
}

}  // namespace
}  // namespace lockstep
