#include "firmware/dsa/score_process.h"

#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "firmware/dsa/direct_process.h"
#include "firmware/dsa/qk_process.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

void check(const ProcessConfig& config) {
  check_selector(config.selector);
  const auto refuse = [](std::string_view key, const char* rule, std::int64_t got) {
    throw InputError(fmt::format("score process: `{}` must be {}, got {}", key, rule, got));
  };
  if (config.decode_steps < 1) refuse("decode_steps", "at least 1", config.decode_steps);
  if (config.calibration_rows < 1)
    refuse("calibration_rows", "at least 1", config.calibration_rows);
  const std::int64_t first = config.context_tokens - config.calibration_rows;
  const bool sparse =
      first >= 0 &&
      !selection_window(config.selector, config.selector.dense_layers, first + 1).dense;
  if (!sparse) {
    refuse("context_tokens", "so large that the first calibration row is sparse",
           config.context_tokens);
  }
}

double mean_reuse(const std::vector<std::unique_ptr<ScoreProcess>>& processes,
                  const ProcessConfig& config, double fast) {
  double sum = 0;
  for (const auto& process : processes) {
    sum += reuse_overlap(process->scores(fast), dynamic_top_k(config.selector),
                         config.calibration_rows, 1);
  }
  return sum / static_cast<double>(processes.size());
}

}  // namespace

std::unique_ptr<ScoreProcess> make_score_process(const ProcessConfig& config, int layer, int head) {
  check(config);
  if (config.process == "qk") return std::make_unique<QkProcess>(config, layer, head);
  if (const DirectModel* model = direct_model(config.process)) {
    return std::make_unique<DirectProcess>(*model, config, layer, head);
  }
  std::string known;
  for (const auto& row : kProcesses) known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw InputError(fmt::format("unknown score process `{}`; known: {}", config.process, known));
}

FastFit fit_fast(const std::vector<std::unique_ptr<ScoreProcess>>& processes,
                 const ProcessConfig& config) {
  constexpr double kStrongest = 8;
  constexpr int kMostHalvings = 24;
  const double target = config.target_reuse_ratio;
  const auto at = [&](double fast) {
    const double reuse = mean_reuse(processes, config, fast);
    return FastFit{fast, reuse, std::abs(reuse - target) <= kReuseTolerance};
  };
  const FastFit still = at(0);
  if (still.reached || still.reuse_ratio < target) return still;
  const FastFit strongest = at(kStrongest);
  if (strongest.reached || strongest.reuse_ratio > target) return strongest;
  double low = 0;
  double high = kStrongest;
  FastFit middle;
  for (int i = 0; i < kMostHalvings && !middle.reached; ++i) {
    middle = at((low + high) / 2);
    (middle.reuse_ratio > target ? low : high) = middle.fast;
  }
  return middle;
}

std::int64_t dynamic_top_k(const SelectorConfig& selector) {
  return selector.budget_tokens / selector.block_tokens - selector.init_blocks -
         selector.local_blocks;
}

void mask_forced(const ProcessConfig& config, ScoreSeries& series) {
  for (std::int64_t t = 0; t < series.steps; ++t) {
    const std::int64_t tokens = config.context_tokens - config.calibration_rows + t + 1;
    const auto window = selection_window(config.selector, config.selector.dense_layers, tokens);
    double* row = series.scores.data() + t * series.blocks;
    for (std::int64_t b = 0; b < series.blocks; ++b) {
      if (b < window.begin || b >= window.end) row[b] = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

}  // namespace lockstep
