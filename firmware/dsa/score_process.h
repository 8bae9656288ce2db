// Synthetic block scores of one (layer, KV head) whose selections overlap from step to step as much
// as a target says. One knob, the strength of the part that changes every step, is fitted to it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "firmware/dsa/score_series.h"
#include "firmware/dsa/selector.h"

namespace lockstep {

struct ProcessConfig {
  std::string process;              // of kProcesses
  SelectorConfig selector;          // blocks, budget, forced blocks; its scorer is used by `qk`
  std::int64_t context_tokens = 0;  // before the first decode step
  std::int64_t decode_steps = 0;
  std::int64_t calibration_rows = 0;  // steps before the first decode step
  std::uint64_t seed = 0;
  double target_reuse_ratio = 0;
};

struct ProcessInfo {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<ProcessInfo, 4> kProcesses = {{
    {"pool", "A is a subset of a slowly changing pool of 1.5 K blocks; nearest to the paper"},
    {"neutral", "static scores and noise that is new every step"},
    {"drift", "heavy-tailed static scores, drift, topic switches; conservative"},
    {"qk", "keys and queries of passages and a drifting focus, scored by the selector's scorer"},
}};

// A process with all its draws made: only the knob is free.
class ScoreProcess {
 public:
  ScoreProcess() = default;
  ScoreProcess(const ScoreProcess&) = delete;
  ScoreProcess& operator=(const ScoreProcess&) = delete;
  virtual ~ScoreProcess() = default;

  // Rows 0 to calibration_rows + decode_steps; row s is the step over context_tokens -
  // calibration_rows + s tokens in the cache and one new. NaN where the selector does not choose.
  virtual ScoreSeries scores(double fast) const = 0;
};

// Throws InputError for an unknown process or a configuration in which nothing is to be chosen.
std::unique_ptr<ScoreProcess> make_score_process(const ProcessConfig& config, int layer, int head);

struct FastFit {
  double fast = 0;         // the knob
  double reuse_ratio = 0;  // what it gives, mean over the processes
  bool reached = false;    // within kReuseTolerance of the target
};

constexpr double kReuseTolerance = 0.001;
constexpr int kFittedHeads = 3;  // first ones, which the knob of all heads is fitted on

// Bisection of the knob over [0, 8] until the mean reuse overlap of the decode rows meets the
// target. When no knob does, the nearest end is returned with `reached` false.
FastFit fit_fast(const std::vector<std::unique_ptr<ScoreProcess>>& processes,
                 const ProcessConfig& config);

// K of the configuration: the budget without forced blocks.
std::int64_t dynamic_top_k(const SelectorConfig& selector);

// Replaces by NaN what does not compete at each row.
void mask_forced(const ProcessConfig& config, ScoreSeries& series);

}  // namespace lockstep
