#include "firmware/dsa/reference.h"

#include <cmath>
#include <limits>
#include <vector>

#include "firmware/dsa/calibration.h"
#include "firmware/dsa/json_place.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostSteps = 1 << 20;
constexpr std::int64_t kMostBlocks = 1 << 24;
constexpr double kLargestScore = 1e30;
constexpr double kLargestDelta = 64;

struct Reference {
  std::int64_t top_k = 0;
  std::int64_t calibration_rows = 0;
  std::vector<std::vector<double>> scores;
};

std::vector<double> read_row(const JsonPlace& row, std::size_t blocks) {
  row.require_array_size(blocks);
  std::vector<double> scores(blocks, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto score = row.at(b);
    if (!score.is_null()) scores[b] = score.number(-kLargestScore, kLargestScore);
  }
  return scores;
}

Reference read_reference(const JsonPlace& root) {
  root.require_only_keys({"blocks", "steps", "top_k", "scores", "calibration_rows", "calibration_h",
                          "best_theta", "runs", "reuse_overlap"});
  const auto blocks = root.key("blocks").integer(1, kMostBlocks);
  const auto steps = root.key("steps").integer(1, kMostSteps);
  Reference reference;
  reference.top_k = root.key("top_k").integer(1, blocks);
  reference.calibration_rows = root.key("calibration_rows").integer(0, steps);
  const auto scores = root.key("scores");
  scores.require_array_size(static_cast<std::size_t>(steps));
  for (std::size_t t = 0; t < scores.array_size(); ++t) {
    reference.scores.push_back(read_row(scores.at(t), static_cast<std::size_t>(blocks)));
  }
  return reference;
}

Theta read_theta(const JsonPlace& theta) {
  theta.require_array_size(3);
  return {theta.at(0).number(0, 1), theta.at(1).number(0, 1), theta.at(2).number(0, 1)};
}

double nine_decimals(double value) {
  constexpr double kScale = 1e9;
  return std::round(value * kScale) / kScale;
}

Json nine_decimals(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) {
    array.push_back(std::isnan(value) ? Json(nullptr) : Json(nine_decimals(value)));
  }
  return array;
}

double mean_overlap(const std::vector<BlockList>& guesses, const std::vector<BlockList>& selected) {
  double sum = 0;
  for (std::size_t t = 1; t < selected.size(); ++t) {
    if (selected[t].empty()) continue;
    sum += static_cast<double>(count_common(guesses[t], selected[t])) /
           static_cast<double>(selected[t].size());
  }
  return selected.size() < 2 ? 0 : sum / static_cast<double>(selected.size() - 1);
}

void run_one(const Reference& reference, const JsonPlace& place,
             const std::vector<BlockList>& selected, Json& run) {
  place.require_only_keys(
      {"theta", "delta", "predicted", "selected", "overlap", "final_level", "final_trend"});
  EmaPredictor predictor(read_theta(place.key("theta")));
  const double delta = place.key("delta").number(0, kLargestDelta);
  std::vector<BlockList> predicted;
  for (const auto& row : reference.scores) {
    predicted.push_back(predictor.predict(budget_blocks(delta, reference.top_k)));
    predictor.observe(row);
  }
  run["predicted"] = predicted;
  run["selected"] = selected;
  run["overlap"] = nine_decimals(mean_overlap(predicted, selected));
  run["final_level"] = nine_decimals(predictor.levels());
  run["final_trend"] = nine_decimals(predictor.trends());
}

void calibrate(const Reference& reference, Json& answer) {
  Calibrator calibrator(reference.top_k, CalibrationWeights::kClippedAtZero);
  for (std::int64_t t = 0; t < reference.calibration_rows; ++t) {
    calibrator.add_row(reference.scores[static_cast<std::size_t>(t)]);
  }
  const Calibration result = calibrator.result();
  answer["calibration_h"] = nine_decimals(result.h);
  answer["best_theta"] = {result.best.alpha, result.best.beta, result.best.gamma};
}

}  // namespace

std::string predict_reference(std::string_view text, const std::string& file) {
  const Json input = parse_json(text, file);
  const JsonPlace root(input, file);
  const Reference reference = read_reference(root);
  std::vector<BlockList> selected;
  for (const auto& row : reference.scores) selected.push_back(top_blocks(row, reference.top_k));

  Json answer = input;
  calibrate(reference, answer);
  const JsonPlace runs = root.key("runs");
  for (std::size_t i = 0; i < runs.array_size(); ++i) {
    run_one(reference, runs.at(i), selected, answer["runs"][i]);
  }
  std::vector<BlockList> previous(selected.size());
  for (std::size_t t = 1; t < selected.size(); ++t) previous[t] = selected[t - 1];
  answer["reuse_overlap"] = nine_decimals(mean_overlap(previous, selected));
  return json_text(answer);
}

}  // namespace lockstep
