// What `lockstep dsa stats TRACE` and `lockstep dsa calibrate TRACE` say about a score trace, as
// JSON with a unit in each key, and as text. Every figure comes from replaying the trace.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "firmware/dsa/score_trace.h"

namespace lockstep {

struct ReportOptions {
  std::vector<double> deltas;
  std::vector<std::int64_t> lags;
  std::int64_t region_tokens = 0;  // tokens that share one row index; a multiple of the block
  CalibrationWeights weights = CalibrationWeights::kClippedAtZero;
};

// Deltas 1 to 3, lags 1, 8 and 64, the 128-token regions of the placement study.
ReportOptions study_report_options();

// Means over heads and steps, then each head. Throws InputError when region_tokens does not fit the
// blocks of the trace.
nlohmann::ordered_json dsa_stats(const ScoreTrace& trace, const ReportOptions& options);
std::string dsa_stats_text(const nlohmann::ordered_json& stats);

// Per layer and KV head: the chosen point of the grid, and the best, median and worst hit ratio.
nlohmann::ordered_json dsa_calibration(const ScoreTrace& trace, CalibrationWeights weights);
std::string dsa_calibration_text(const nlohmann::ordered_json& calibration);

}  // namespace lockstep
