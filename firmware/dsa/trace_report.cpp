#include "firmware/dsa/trace_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

struct DeltaField {
  const char* key;
  double DeltaStatistics::*member;
};

constexpr DeltaField kDeltaFields[] = {
    {"overlap_ratio", &DeltaStatistics::overlap_ratio},
    {"overlap_ratio_p5", &DeltaStatistics::overlap_ratio_p5},
    {"weighted_recall_ratio", &DeltaStatistics::weighted_recall_ratio},
    {"reuse_overlap_ratio", &DeltaStatistics::reuse_overlap_ratio},
    {"missed_blocks", &DeltaStatistics::missed_blocks},
    {"wasted_blocks", &DeltaStatistics::wasted_blocks},
    {"turnover_ratio", &DeltaStatistics::turnover_ratio},
    {"predicted_blocks_per_region", &DeltaStatistics::predicted_blocks_per_region},
    {"missed_blocks_per_region", &DeltaStatistics::missed_blocks_per_region},
};

constexpr DeltaField kMassFields[] = {
    {"covered_mass_ratio", &DeltaStatistics::covered_mass_ratio},
    {"wasted_mass_ratio", &DeltaStatistics::wasted_mass_ratio},
};

struct HeadField {
  const char* key;
  double SeriesStatistics::*member;
};

constexpr HeadField kHeadFields[] = {
    {"calibration_hit_ratio", &SeriesStatistics::calibration_hit_ratio},
    {"reuse_overlap_ratio", &SeriesStatistics::reuse_overlap_ratio},
    {"selected_blocks_per_region", &SeriesStatistics::selected_blocks_per_region},
    {"independent_blocks_per_region", &SeriesStatistics::independent_blocks_per_region},
};

Json number(double value) {
  return std::isnan(value) ? Json(nullptr) : Json(value);
}

Json theta_json(const Theta& theta) {
  return {{"alpha", theta.alpha}, {"beta", theta.beta}, {"gamma", theta.gamma}};
}

// All heads of a trace, in order of layer and head.
class Replay {
 public:
  Replay(const ScoreTrace& trace, const ReportOptions& options) : trace_(trace), options_(options) {
    if (options.region_tokens < trace.meta.block_tokens ||
        options.region_tokens % trace.meta.block_tokens != 0) {
      throw InputError(
          fmt::format("region_tokens must be a multiple of the block of {} tokens, got {}",
                      trace.meta.block_tokens, options.region_tokens));
    }
    for (std::int64_t layer = 0; layer < trace.layers(); ++layer) {
      for (std::int64_t head = 0; head < trace.heads(); ++head) replay(layer, head);
    }
  }

  Json mean() const {
    Json json = Json::object();
    for (const auto& field : kHeadFields) {
      json[field.key] = mean_of([&](const auto& head) { return head.*field.member; });
    }
    Json lags = Json::object();
    for (std::size_t i = 0; i < options_.lags.size(); ++i) {
      lags[std::to_string(options_.lags[i])] =
          number(mean_of([i](const auto& head) { return head.lag_overlap_ratio[i]; }));
    }
    json["lag_overlap_ratio"] = lags;
    json["deltas"] = Json::array();
    for (std::size_t d = 0; d < options_.deltas.size(); ++d) {
      Json delta = delta_json(
          [&](double DeltaStatistics::*member) {
            return mean_of([&](const auto& head) { return head.deltas[d].*member; });
          },
          d);
      add_slowest_head(d, delta);
      json["deltas"].push_back(delta);
    }
    return json;
  }

  Json by_head() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      const auto heads = static_cast<std::size_t>(trace_.heads());
      Json json = {{"layer", trace_.meta.layer_ids[i / heads]}, {"kv_head", i % heads}};
      json["theta"] = theta_json(heads_[i].theta);
      for (const auto& field : kHeadFields) json[field.key] = heads_[i].*field.member;
      json["deltas"] = Json::array();
      for (std::size_t d = 0; d < options_.deltas.size(); ++d) {
        json["deltas"].push_back(delta_json(
            [&](double DeltaStatistics::*member) { return heads_[i].deltas[d].*member; }, d));
      }
      list.push_back(json);
    }
    return list;
  }

 private:
  void replay(std::int64_t layer, std::int64_t head) {
    SeriesOptions options;
    options.top_k = trace_.meta.k_dyn;
    options.calibration_rows = trace_.meta.prefill_rows;
    options.deltas = options_.deltas;
    options.lags = options_.lags;
    options.region_blocks = options_.region_tokens / trace_.meta.block_tokens;
    options.weights = options_.weights;
    ScoreSeries mass;
    if (trace_.mass) {
      mass = trace_.mass_series(layer, head);
      options.mass = &mass;
    }
    heads_.push_back(series_statistics(trace_.series(layer, head), options));
  }

  template <typename Member>
  double mean_of(Member member) const {
    double sum = 0;
    for (const auto& head : heads_) sum += member(head);
    return sum / static_cast<double>(heads_.size());
  }

  template <typename Value>
  Json delta_json(Value value, std::size_t d) const {
    Json json = {{"delta", options_.deltas[d]}};
    for (const auto& field : kDeltaFields) json[field.key] = value(field.member);
    if (!trace_.mass) return json;
    for (const auto& field : kMassFields) json[field.key] = value(field.member);
    return json;
  }

  // A repair pass ends when the head that missed most is done, and is skipped only when none
  // missed.
  void add_slowest_head(std::size_t d, Json& delta) const {
    const auto heads = static_cast<std::size_t>(trace_.heads());
    const auto steps = static_cast<std::size_t>(heads_.front().decode_steps);
    std::int64_t slowest_sum = 0;
    std::int64_t without_miss = 0;
    for (std::size_t first = 0; first < heads_.size(); first += heads) {
      for (std::size_t t = 0; t < steps; ++t) {
        std::int64_t slowest = 0;
        for (std::size_t h = first; h < first + heads; ++h) {
          slowest = std::max(slowest, heads_[h].deltas[d].missed_by_step[t]);
        }
        slowest_sum += slowest;
        without_miss += slowest == 0 ? 1 : 0;
      }
    }
    const auto passes = static_cast<double>(heads_.size() / heads * steps);
    delta["missed_blocks_slowest_head"] = static_cast<double>(slowest_sum) / passes;
    delta["layer_steps_without_miss_ratio"] = static_cast<double>(without_miss) / passes;
  }

  const ScoreTrace& trace_;
  const ReportOptions& options_;
  std::vector<SeriesStatistics> heads_;
};

Json population(const ScoreTrace& trace, const char* format) {
  return {{"format", format},
          {"source", trace.meta.source},
          {"dsa", trace.meta.dsa},
          {"score_kind", trace.meta.score_kind},
          {"layers", trace.layers()},
          {"kv_heads", trace.heads()},
          {"calibration_steps", trace.meta.prefill_rows},
          {"decode_steps", trace.steps() - trace.meta.prefill_rows},
          {"first_context_tokens", trace.pos[static_cast<std::size_t>(trace.meta.prefill_rows)]},
          {"last_context_tokens", trace.pos.back()},
          {"block_tokens", trace.meta.block_tokens},
          {"top_k_blocks", trace.meta.k_dyn}};
}

std::string title(const Json& report) {
  return fmt::format(
      "{}: {} layers x {} KV heads, {} decode steps, context {} to {} tokens, blocks "
      "of {} tokens, K = {} blocks (forced blocks not counted)\n",
      report["source"].get<std::string>(), report["layers"].get<std::int64_t>(),
      report["kv_heads"].get<std::int64_t>(), report["decode_steps"].get<std::int64_t>(),
      report["first_context_tokens"].get<std::int64_t>(),
      report["last_context_tokens"].get<std::int64_t>(), report["block_tokens"].get<std::int64_t>(),
      report["top_k_blocks"].get<std::int64_t>());
}

}  // namespace

ReportOptions study_report_options() {
  return {{1, 1.25, 1.5, 2, 3}, {1, 8, 64}, 128, CalibrationWeights::kClippedAtZero};
}

Json dsa_stats(const ScoreTrace& trace, const ReportOptions& options) {
  const Replay replay(trace, options);
  Json stats = population(trace, "dsa-stats/1");
  stats["region_tokens"] = options.region_tokens;
  stats["mean"] = replay.mean();
  stats["heads"] = replay.by_head();
  return stats;
}

std::string dsa_stats_text(const Json& stats) {
  const Json& mean = stats["mean"];
  std::string text = title(stats);
  text += fmt::format(
      "reuse overlap {:.3f}; blocks per touched {}-token region {:.2f} ({:.2f} if "
      "independent)\n",
      mean["reuse_overlap_ratio"].get<double>(), stats["region_tokens"].get<std::int64_t>(),
      mean["selected_blocks_per_region"].get<double>(),
      mean["independent_blocks_per_region"].get<double>());
  text += "delta  overlap     p5  widened  recall  missed  slowest  wasted  no miss\n";
  for (const Json& row : mean["deltas"]) {
    text += fmt::format(
        "{:5.2f}  {:7.3f}  {:5.3f}  {:7.3f}  {:6.3f}  {:6.1f}  {:7.1f}  {:6.1f}  {:7.3f}\n",
        row["delta"].get<double>(), row["overlap_ratio"].get<double>(),
        row["overlap_ratio_p5"].get<double>(), row["reuse_overlap_ratio"].get<double>(),
        row["weighted_recall_ratio"].get<double>(), row["missed_blocks"].get<double>(),
        row["missed_blocks_slowest_head"].get<double>(), row["wasted_blocks"].get<double>(),
        row["layer_steps_without_miss_ratio"].get<double>());
  }
  return text;
}

Json dsa_calibration(const ScoreTrace& trace, CalibrationWeights weights) {
  Json report = population(trace, "dsa-calibration/1");
  report["weights"] = weights == CalibrationWeights::kSoftmax ? "softmax" : "clipped_at_zero";
  report["heads"] = Json::array();
  for (std::int64_t layer = 0; layer < trace.layers(); ++layer) {
    for (std::int64_t head = 0; head < trace.heads(); ++head) {
      const ScoreSeries series = trace.series(layer, head);
      Calibrator calibrator(trace.meta.k_dyn, weights);
      for (std::int64_t t = 0; t < trace.meta.prefill_rows; ++t) calibrator.add_row(series.row(t));
      const Calibration result = calibrator.result();
      std::vector<double> h = result.h;
      std::sort(h.begin(), h.end());
      Json row = {{"layer", trace.meta.layer_ids[static_cast<std::size_t>(layer)]},
                  {"kv_head", head},
                  {"rows", result.rows},
                  {"theta", theta_json(result.best)}};
      row["best_hit_ratio"] = h.empty() ? Json(nullptr) : Json(h.back());
      row["median_hit_ratio"] =
          h.empty() ? Json(nullptr) : Json((h[h.size() / 2 - 1] + h[h.size() / 2]) / 2);
      row["worst_hit_ratio"] = h.empty() ? Json(nullptr) : Json(h.front());
      report["heads"].push_back(row);
    }
  }
  return report;
}

std::string dsa_calibration_text(const Json& calibration) {
  std::string text = title(calibration);
  text += "layer  head  rows  alpha  beta  gamma   best  median  worst\n";
  for (const Json& row : calibration["heads"]) {
    const Json& theta = row["theta"];
    text += fmt::format("{:5}  {:4}  {:4}  {:5.2f}  {:4.2f}  {:5.2f}",
                        row["layer"].get<std::int64_t>(), row["kv_head"].get<std::int64_t>(),
                        row["rows"].get<std::int64_t>(), theta["alpha"].get<double>(),
                        theta["beta"].get<double>(), theta["gamma"].get<double>());
    text += row["best_hit_ratio"].is_null()
                ? "  nothing to choose\n"
                : fmt::format("  {:5.3f}  {:6.3f}  {:5.3f}\n", row["best_hit_ratio"].get<double>(),
                              row["median_hit_ratio"].get<double>(),
                              row["worst_hit_ratio"].get<double>());
  }
  return text;
}

}  // namespace lockstep
