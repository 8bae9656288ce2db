// The predictor against Eq. 2-3 worked by hand, and selection, calibration and prediction against
// the files of an independent implementation (tests/data/dsa/ORIGIN.md).
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "firmware/dsa/calibration.h"
#include "firmware/dsa/json_place.h"
#include "firmware/dsa/predictor.h"
#include "firmware/dsa/reference.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

std::string reference_text(const std::string& name) {
  std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/data/dsa/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string refusal_of(const std::string& text) {
  try {
    predict_reference(text, "ref.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

const std::string kTiny =
    R"({"blocks":3,"steps":2,"top_k":1,"scores":[[1,2,null],[3,1,0]],"calibration_rows":2,)"
    R"("runs":[{"theta":[0.2,0.1,0.5],"delta":2}]})";

TEST(TopBlocks, OrdersByScoreAndThenByBlock) {
  EXPECT_EQ(top_blocks(std::vector<double>{1, 3, 3, 2, 3}, 2), (BlockList{1, 2}));
  EXPECT_EQ(top_blocks(std::vector<double>{NAN, 3, NAN}, 2), (BlockList{1}));
  EXPECT_EQ(top_blocks(std::vector<double>{1, 2}, 0), BlockList{});
  EXPECT_EQ(ranked_blocks(std::vector<double>{1, 3, NAN, 3}), (BlockList{1, 3, 0}));
}

TEST(BudgetBlocks, MeansTheDecimalProduct) {
  EXPECT_EQ(budget_blocks(1.25, 10), 12);
  EXPECT_EQ(budget_blocks(0.29, 100), 29) << "0.29 * 100 is 28.999999999999996 in binary";
  EXPECT_EQ(budget_blocks(0.5, 1), 0);
}

TEST(EmaPredictor, UpdatesTheTrendAgainstTheOldLevel) {
  EmaPredictor predictor({0.5, 0.25, 2.0});
  EXPECT_TRUE(predictor.predict(5).empty());
  predictor.observe(std::vector<double>{8});
  predictor.observe(std::vector<double>{12});
  // v = 0.25 (12 - 8) = 1, not 0.25 (12 - 10); l = 0.5 x 12 + 0.5 x 8 = 10; prediction 10 + 2 x 1.
  EXPECT_EQ(predictor.trends()[0], 1);
  EXPECT_EQ(predictor.levels()[0], 10);
  EXPECT_EQ(predictor.predicted_scores()[0], 12);
  predictor.observe(std::vector<double>{4});
  // v = 0.25 (4 - 10) + 0.75 x 1 = -0.75; l = 0.5 x 4 + 0.5 x 10 = 7.
  EXPECT_EQ(predictor.trends()[0], -0.75);
  EXPECT_EQ(predictor.levels()[0], 7);
}

TEST(EmaPredictor, FollowsARampWithoutLagAtGammaOne) {
  // For a ramp of slope b the level lags by b (1 - alpha) / alpha behind the newest score and the
  // trend tends to b / alpha, so that level + trend is the next score.
  EmaPredictor predictor({0.4, 0.3, 1.0});
  for (int t = 0; t <= 200; ++t) predictor.observe(std::vector<double>{3.0 * t});
  EXPECT_NEAR(predictor.predicted_scores()[0], 3.0 * 201, 1e-9);
}

TEST(EmaPredictor, LeavesABlockAloneWhileItHasNoScore) {
  EmaPredictor predictor({0.5, 0.5, 0.5});
  predictor.observe(std::vector<double>{1, NAN});
  EXPECT_EQ(predictor.predict(5), BlockList{0});
  predictor.observe(std::vector<double>{NAN, 7, 3});
  EXPECT_EQ(predictor.levels(), (std::vector<double>{1, 7, 3}));
  EXPECT_EQ(predictor.trends(), (std::vector<double>{0, 0, 0}));
}

TEST(Calibration, GridHasEightyPointsOfWhichSixtyFourDiffer) {
  EXPECT_EQ(kGridPoints, 80U);
  EXPECT_EQ(grid_theta(0), (Theta{0.2, 0.1, 0}));
  EXPECT_EQ(grid_theta(1), (Theta{0.2, 0.1, 0.25}));
  EXPECT_EQ(grid_theta(4), (Theta{0.2, 0.2, 0}));
  EXPECT_EQ(grid_theta(79), (Theta{0.8, 0.5, 0.75}));
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < kGridPoints; ++i) {
    const Theta theta = grid_theta(i);
    if (theta.gamma != 0 || theta.beta == kBetas[0]) ++distinct;
  }
  EXPECT_EQ(distinct, 64U);
}

TEST(Calibration, CountsNoRowWithoutAChoice) {
  Calibrator calibrator(2, CalibrationWeights::kClippedAtZero);
  for (int t = 0; t < 4; ++t) calibrator.add_row(std::vector<double>{1, 2, NAN});
  EXPECT_EQ(calibrator.result().rows, 0);
  EXPECT_TRUE(calibrator.result().h.empty());
  calibrator.add_row(std::vector<double>{1, 2, 6});  // block 2 was never seen: 2 of 8 is predicted
  EXPECT_EQ(calibrator.result().rows, 1);
  EXPECT_DOUBLE_EQ(calibrator.result().h[0], 0.25);
}

TEST(Calibration, SoftmaxWeightsAllowNegativeScores) {
  Calibrator calibrator(1, CalibrationWeights::kSoftmax);
  calibrator.add_row(std::vector<double>{-5, -6});
  calibrator.add_row(std::vector<double>{-5, -6});
  EXPECT_DOUBLE_EQ(calibrator.result().h[0], 1);
}

TEST(PredictReference, EqualsTheIndependentImplementationByteForByte) {
  for (const char* name : {"predictor_small.json", "predictor_growing.json"}) {
    const std::string text = reference_text(name);
    ASSERT_FALSE(text.empty()) << name;
    EXPECT_EQ(predict_reference(text, name), text) << name;
  }
}

TEST(PredictReference, ComputesEachKeyAndCopiesNone) {
  auto spoilt = nlohmann::ordered_json::parse(reference_text("predictor_small.json"));
  for (const char* key : {"calibration_h", "best_theta", "reuse_overlap"}) spoilt[key] = "spoilt";
  for (auto& run : spoilt["runs"]) {
    for (const char* key : {"predicted", "selected", "overlap", "final_level", "final_trend"}) {
      run[key] = "spoilt";
    }
  }
  EXPECT_EQ(predict_reference(spoilt.dump(), "spoilt"), reference_text("predictor_small.json"));
}

TEST(PredictReference, NeedsOnlyTheInputs) {
  EXPECT_NE(predict_reference(kTiny, "tiny").find(R"("predicted":[[],[0,1]])"), std::string::npos);
}

TEST(PredictReference, NamesThePlaceOfAMistake) {
  EXPECT_EQ(refusal_of("{\"blocks\": 3,\n  oops}"), "ref.json:2:3: not JSON");
  EXPECT_EQ(refusal_of("{}"), "ref.json: missing key `blocks`");
  EXPECT_EQ(refusal_of("[]"), "ref.json: expected an object, got []");
  EXPECT_EQ(refusal_of(with(kTiny, "\"steps\":2", "\"steps\":3")),
            "ref.json: scores: expected 3 entries, got 2");
  EXPECT_EQ(refusal_of(with(kTiny, "null]", "\"x\"]")),
            "ref.json: scores[0][2]: expected a number from -1e+30 to 1e+30, got \"x\"");
  EXPECT_EQ(refusal_of(with(kTiny, "null]", "0,0]")),
            "ref.json: scores[0]: expected 3 entries, got 4");
  EXPECT_EQ(refusal_of(with(kTiny, "\"top_k\":1", "\"top_k\":4")),
            "ref.json: top_k: expected an integer from 1 to 3, got 4");
  EXPECT_EQ(refusal_of(with(kTiny, "\"top_k\":1", "\"top_k\":1.0")),
            "ref.json: top_k: expected an integer from 1 to 3, got 1.0");
  EXPECT_EQ(refusal_of(with(kTiny, "\"delta\":2", "\"delta\":-1")),
            "ref.json: runs[0].delta: expected a number from 0 to 64, got -1");
  EXPECT_EQ(refusal_of(with(kTiny, ",\"delta\":2", "")), "ref.json: missing key `runs[0].delta`");
  EXPECT_EQ(refusal_of(with(kTiny, "\"delta\":2", "\"delta\":2,\"theta\":1")),
            "ref.json: key `theta` appears twice in one object");
  EXPECT_EQ(refusal_of(with(kTiny, "\"delta\":2", "\"delta\":2,\"detla\":1")),
            "ref.json: unknown key `runs[0].detla`");
  EXPECT_EQ(refusal_of(with(kTiny, "[3,1,0]", "[3,1,1e999]")),
            "ref.json: a number is too large for a double");
}

}  // namespace
}  // namespace lockstep
