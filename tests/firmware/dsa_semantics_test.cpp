// Predict, select and repair on real vectors: how far the union of predicted and selected blocks
// lies from exact sparse attention, against an independent numpy study of the same process.
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "firmware/dsa/qk_process.h"
#include "firmware/dsa/sparse_attention.h"

namespace lockstep {
namespace {

constexpr double kKnob = 1.14;       // the study's q_fast
constexpr double kLogitScale = 4.0;  // its temperature of the softmax
constexpr std::int64_t kEveryStep = 4;
// Exact modes add the same 2,048 terms in another order; fp32 bounds that by 2048 x 2^-24 = 1.2e-4.
constexpr double kReordered = 1.2e-4;

ProcessConfig study() {
  ProcessConfig config;
  config.process = "qk";
  config.selector = kSelectorDefaults[0];
  config.context_tokens = 16384;
  config.decode_steps = 128;
  config.calibration_rows = 128;
  config.seed = 6;
  return config;
}

double norm(const std::vector<float>& a) {
  double sum = 0;
  for (const float x : a) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> difference = a;
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return norm(difference);
}

struct Deviation {
  double wasted_mass = 0;    // eps
  double output_change = 0;  // ||O_U - O_A|| / ||O_A||
  double exact_change = 0;   // the largest of the exact modes
};

class Semantics : public testing::Test {
 protected:
  Semantics() : process(study(), 0, 0), series(process.scores(kKnob)) {
    RandomStream random(9, 0, 0, 0);
    for (std::size_t i = 0; i < process.keys().size(); ++i) {
      values.push_back(static_cast<float>(random.normal() + 0.3));
    }
  }

  // The query that Quest scores with, scaled so that the softmax sees kLogitScale x q.k.
  std::vector<float> query_at(std::int64_t step) const {
    const std::vector<float> heads = process.query(step, kKnob);
    std::vector<float> mean(QkProcess::kHeadDim, 0.0F);
    const double scale = kLogitScale * std::sqrt(double{QkProcess::kHeadDim});
    for (std::size_t i = 0; i < heads.size(); ++i) {
      mean[i % mean.size()] += static_cast<float>(scale / QkProcess::kGroup) * heads[i];
    }
    return mean;
  }

  Deviation at(std::int64_t step, const BlockList& predicted) const {
    const std::vector<float> query = query_at(step);
    const std::int64_t tokens = study().context_tokens - study().calibration_rows + step + 1;
    const HeadView head{query.data(), process.keys().data(), values.data(), tokens,
                        16,           QkProcess::kHeadDim};
    const auto open = static_cast<BlockIndex>((tokens - 1) / 16);
    const AttentionLists lists{{open}, predicted, top_blocks(series.row(step), 127)};
    const auto exact = serial_attention(head, all_blocks(lists.selected, lists.forced));
    Deviation deviation;
    for (const auto& row : kRepairModes) {
      const auto result = sparse_attention(row.mode, head, lists);
      const double change = distance(result.output, exact) / norm(exact);
      if (row.mode == RepairMode::kUnion) {
        deviation.wasted_mass = result.wasted_mass;
        deviation.output_change = change;
      } else {
        deviation.exact_change = std::max(deviation.exact_change, change);
      }
    }
    return deviation;
  }

  QkProcess process;
  ScoreSeries series;
  std::vector<float> values;
};

TEST_F(Semantics, UnionDeviatesByTheMassOfTheWastedBlocksAndExactModesDoNot) {
  // The mass itself hangs on the strongest heavy hitter: over eight seeds numpy finds from 0.00 %
  // to 0.20 % at delta 1. How it grows with delta does not: 2.2 to 2.8 times at delta 1.5, 3.2
  // to 4.4 at 2, 5 to 6.2 at 3 (16K tokens, blocks of 16, budget 2048).
  struct Known {
    double delta, least_growth, most_growth;
  };
  constexpr Known kKnown[] = {{1, 1, 1}, {1.5, 2.0, 3.0}, {2, 2.9, 4.8}, {3, 4.4, 7.0}};
  EmaPredictor predictor({0.2, 0.1, 0});
  Deviation mean[4];
  int steps = 0;
  for (std::int64_t t = 0; t < series.steps; ++t) {
    if (t >= study().calibration_rows && t % kEveryStep == 0) {
      ++steps;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto one = at(t, predictor.predict(budget_blocks(kKnown[i].delta, 127)));
        mean[i].wasted_mass += one.wasted_mass;
        mean[i].output_change += one.output_change;
        ASSERT_LT(one.exact_change, kReordered) << "step " << t;
      }
    }
    predictor.observe(series.row(t));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const double mass = mean[i].wasted_mass / steps;
    const double change = mean[i].output_change / steps;
    SCOPED_TRACE(
        fmt::format("delta {}: mass {:.5f}, change {:.5f}", kKnown[i].delta, mass, change));
    EXPECT_GT(mass, 1e-4);
    EXPECT_LT(mass, 0.05);
    EXPECT_GE(mass, kKnown[i].least_growth * mean[0].wasted_mass / steps);
    EXPECT_LE(mass, kKnown[i].most_growth * mean[0].wasted_mass / steps);
    EXPECT_GT(change, 0.5 * mass) << "the output moves by mass x the distance of two averages,";
    EXPECT_LT(change, 1.5 * mass) << "which is about the length of one";
  }
}

}  // namespace
}  // namespace lockstep
