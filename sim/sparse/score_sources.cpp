#include "sim/sparse/score_sources.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "firmware/dsa/score_process.h"
#include "firmware/dsa/trace_files.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr const char* kTraceKey = "dsa.scores.trace";
constexpr std::uint64_t kSeedsApart = 1'000'003;  // of requests

ProcessConfig process_of(const SparseConfig& config, int request) {
  ProcessConfig process;
  process.process = config.process;
  process.selector = config.selector;
  process.context_tokens = config.context_tokens;
  process.decode_steps = config.decode_tokens;
  process.calibration_rows = config.calibration_rows;
  process.seed = config.seed + static_cast<std::uint64_t>(request) * kSeedsApart;
  process.target_reuse_ratio = config.target_reuse_ratio;
  return process;
}

FittedSource from_process(const SparseConfig& config) {
  const auto first = process_of(config, 0);
  const int layer = config.selector.dense_layers;
  std::vector<std::unique_ptr<ScoreProcess>> processes;
  for (int head = 0; head < std::min(kFittedHeads, config.shape.kv_heads); ++head)
    processes.push_back(make_score_process(first, layer, head));
  const FastFit fit = fit_fast(processes, first);
  const auto source = [config, fast = fit.fast](int request, int which, int head) {
    return make_score_process(process_of(config, request), which, head)->scores(fast);
  };
  return {source,
          fmt::format("{} scores, reuse {:.3f}{}", config.process, fit.reuse_ratio,
                      fit.reached ? "" : " (the wanted one is out of reach)"),
          fit.reuse_ratio};
}

void check_trace(const SparseConfig& config, const ScoreTrace& trace) {
  const auto refuse = [&](std::string_view what, std::int64_t of_trace, std::int64_t of_config) {
    if (of_trace == of_config) return;
    throw SettingError(kTraceKey,
                       fmt::format("{}: {} of the trace is {}, but the configuration has {}",
                                   config.trace, what, of_trace, of_config));
  };
  refuse("block_tokens", trace.meta.block_tokens, config.shape.block_tokens);
  refuse("kv_heads", trace.heads(), config.shape.kv_heads);
  refuse("init_blocks", trace.meta.init_blocks, config.selector.init_blocks);
  refuse("local_blocks", trace.meta.local_blocks, config.selector.local_blocks);
  refuse("k_dyn", trace.meta.k_dyn, dynamic_top_k(config.selector));
  refuse("prefill_rows", trace.meta.prefill_rows, config.calibration_rows);
  refuse("pos of the first decode step",
         trace.pos[static_cast<std::size_t>(trace.meta.prefill_rows)], config.context_tokens);
  if (trace.steps() - trace.meta.prefill_rows >= config.decode_tokens) return;
  throw SettingError(
      kTraceKey,
      fmt::format("{}: the trace has {} decode steps, but dsa.decode is {}", config.trace,
                  trace.steps() - trace.meta.prefill_rows, config.decode_tokens));
}

// Only the rows that are decoded; more blocks than they have are not looked at.
ScoreSeries first_rows(const ScoreSeries& all, std::int64_t rows, std::int64_t blocks) {
  ScoreSeries series{rows, blocks, {}};
  for (std::int64_t t = 0; t < rows; ++t) {
    const auto row = all.row(t);
    series.scores.insert(series.scores.end(), row.begin(),
                         row.begin() + std::min(blocks, all.blocks));
    series.scores.resize(static_cast<std::size_t>((t + 1) * blocks),
                         std::numeric_limits<double>::quiet_NaN());
  }
  return series;
}

ScoreTrace read_trace(const SparseConfig& config) {
  try {
    return read_score_trace(config.trace);
  } catch (const InputError& error) {
    throw SettingError(kTraceKey, error.what());
  }
}

// A trace of fewer layers is gone round, and requests begin at different ones.
FittedSource from_trace(const SparseConfig& config) {
  const auto trace = std::make_shared<const ScoreTrace>(read_trace(config));
  check_trace(config, *trace);
  const auto rows = config.calibration_rows + config.decode_tokens;
  const auto source = [trace, rows, blocks = config.blocks()](int request, int layer, int head) {
    return first_rows(trace->series((layer + request) % trace->layers(), head), rows, blocks);
  };
  return {source, fmt::format("scores of {} ({})", config.trace, trace->meta.source), 0};
}

}  // namespace

FittedSource score_source(const SparseConfig& config) {
  return config.trace.empty() ? from_process(config) : from_trace(config);
}

}  // namespace lockstep
