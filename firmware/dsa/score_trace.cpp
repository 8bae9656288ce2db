#include "firmware/dsa/score_trace.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

class Checker {
 public:
  Checker(const ScoreTrace& trace, const std::string& place) : trace_(trace), place_(place) {}

  void run() const {
    shapes();
    counts();
    for (std::int64_t layer = 0; layer < trace_.layers(); ++layer) {
      for (std::int64_t head = 0; head < trace_.heads(); ++head) series(layer, head);
    }
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) const {
    throw InputError(place_ + ": " + fmt::format(text, std::forward<Args>(args)...));
  }

  void shapes() const {
    const auto& meta = trace_.meta;
    const auto& shape = trace_.scores.shape;
    const bool full = shape.size() == 4 &&
                      std::all_of(shape.begin(), shape.end(), [](std::int64_t n) { return n > 0; });
    if (!full) refuse("scores: expected shape [steps, layers, heads, blocks]");
    if (static_cast<std::int64_t>(meta.layer_ids.size()) != trace_.layers()) {
      refuse("layer_ids names {} layers, scores hold {}", meta.layer_ids.size(), trace_.layers());
    }
    if (meta.kv_heads != trace_.heads()) {
      refuse("kv_heads is {}, scores hold {}", meta.kv_heads, trace_.heads());
    }
    if (meta.prefill_rows >= trace_.steps()) {
      refuse("prefill_rows is {}, which leaves none of {} steps for decoding", meta.prefill_rows,
             trace_.steps());
    }
    if (trace_.mass && trace_.mass->shape != shape) refuse("mass: its shape is not that of scores");
    const bool selection_fits =
        !trace_.sel || (trace_.sel->shape.size() == 4 &&
                        std::equal(shape.begin(), shape.begin() + 3, trace_.sel->shape.begin()));
    if (!selection_fits) refuse("sel: expected shape [steps, layers, heads, K] of the scores");
  }

  void counts() const {
    const auto steps = static_cast<std::size_t>(trace_.steps());
    if (trace_.n_valid.size() != steps || trace_.pos.size() != steps) {
      refuse("n_valid and pos need one entry for each of {} steps", steps);
    }
    for (std::size_t t = 0; t < steps; ++t) {
      if (trace_.n_valid[t] < 0 || trace_.n_valid[t] > trace_.blocks()) {
        refuse("n_valid[{}] is {}, scores hold {} blocks", t, trace_.n_valid[t], trace_.blocks());
      }
      if (trace_.n_valid[t] != trace_.pos[t] / trace_.meta.block_tokens) {
        refuse("n_valid[{}] is {}, but pos[{}] = {} fills {} blocks of {} tokens", t,
               trace_.n_valid[t], t, trace_.pos[t], trace_.pos[t] / trace_.meta.block_tokens,
               trace_.meta.block_tokens);
      }
      if (t > 0 && trace_.pos[t] < trace_.pos[t - 1])
        refuse("pos[{}] falls below pos[{}]", t, t - 1);
    }
  }

  void series(std::int64_t layer, std::int64_t head) const {
    const ScoreSeries series = trace_.series(layer, head);
    for (std::int64_t t = 0; t < series.steps; ++t) {
      const Span<double> row = series.row(t);
      for (std::int64_t b = 0; b < series.blocks; ++b) {
        const double score = row[static_cast<std::size_t>(b)];
        if (std::isinf(score)) {
          refuse("scores[{},{},{},{}] is infinite; a forced block is NaN", t, layer, head, b);
        }
        if (!std::isnan(score) && b >= trace_.n_valid[static_cast<std::size_t>(t)]) {
          refuse("scores[{},{},{},{}] is a score, but only {} blocks are complete", t, layer, head,
                 b, trace_.n_valid[static_cast<std::size_t>(t)]);
        }
      }
      if (trace_.sel) selection(t, layer, head, row);
    }
  }

  void selection(std::int64_t t, std::int64_t layer, std::int64_t head, Span<double> row) const {
    const std::int64_t k = trace_.sel->shape[3];
    const auto begin =
        trace_.sel->values.begin() + ((t * trace_.layers() + layer) * trace_.heads() + head) * k;
    BlockList chosen;
    for (auto entry = begin; entry != begin + k && *entry >= 0; ++entry) {
      chosen.push_back(static_cast<BlockIndex>(*entry));
    }
    const bool padded = std::all_of(begin + static_cast<std::ptrdiff_t>(chosen.size()), begin + k,
                                    [](double entry) { return entry == -1; });
    if (!padded || !is_block_list(chosen)) {
      refuse("sel[{},{},{}] is not ascending, padded with -1 at its end", t, layer, head);
    }
    const BlockList ours = top_blocks(row, trace_.meta.k_dyn);
    const auto scores = [&row](const BlockList& blocks) {
      std::vector<double> values;
      for (const BlockIndex b : blocks) {
        const auto at = static_cast<std::size_t>(b);
        const bool scored = at < row.size() && !std::isnan(row[at]);
        values.push_back(scored ? row[at] : -INFINITY);
      }
      std::sort(values.begin(), values.end());
      return values;
    };
    if (scores(chosen) != scores(ours)) {
      refuse("sel[{},{},{}] is not the top {} of the scores", t, layer, head, trace_.meta.k_dyn);
    }
  }

  const ScoreTrace& trace_;
  const std::string& place_;
};

void copy_series(const ScoreSeries& series, std::int64_t at, std::int64_t all, NpyArray& into) {
  for (std::int64_t t = 0; t < series.steps; ++t) {
    const auto row = series.row(t);
    std::copy(row.begin(), row.end(), into.values.begin() + (t * all + at) * series.blocks);
  }
}

TraceMeta generated_meta(const ProcessConfig& config, int layers, int kv_heads) {
  TraceMeta meta;
  meta.source = "synthetic";
  const bool scored = config.process == "qk";
  meta.dsa = scored ? std::string(config.selector.scorer) : "other";
  meta.score_kind = scored ? "synthetic_vectors" : "synthetic_process";
  for (int layer = 0; layer < layers; ++layer) {
    meta.layer_ids.push_back(config.selector.dense_layers + layer);
  }
  meta.kv_heads = kv_heads;
  meta.block_tokens = config.selector.block_tokens;
  meta.token_budget = config.selector.budget_tokens;
  meta.k_dyn = dynamic_top_k(config.selector);
  meta.init_blocks = config.selector.init_blocks;
  meta.local_blocks = config.selector.local_blocks;
  meta.dense_layers = config.selector.dense_layers;
  meta.prefill_rows = config.calibration_rows;
  meta.seed = static_cast<std::int64_t>(config.seed);
  return meta;
}

FastFit fit_on_first(const ProcessConfig& config, int layers, int kv_heads) {
  std::vector<std::unique_ptr<ScoreProcess>> first;
  for (int i = 0; i < std::min(kFittedHeads, layers * kv_heads); ++i) {
    first.push_back(make_score_process(config, i / kv_heads, i % kv_heads));
  }
  return fit_fast(first, config);
}

}  // namespace

ScoreSeries ScoreTrace::slice(const NpyArray& array, std::int64_t layer, std::int64_t head) const {
  ScoreSeries series{steps(), blocks(), {}};
  series.scores.reserve(static_cast<std::size_t>(steps() * blocks()));
  for (std::int64_t t = 0; t < steps(); ++t) {
    const auto begin = array.values.begin() + ((t * layers() + layer) * heads() + head) * blocks();
    series.scores.insert(series.scores.end(), begin, begin + blocks());
  }
  return series;
}

void check_score_trace(const ScoreTrace& trace, const std::string& place) {
  Checker(trace, place).run();
}

ScoreTrace generate_score_trace(const ProcessConfig& config, int layers, int kv_heads) {
  if (layers < 1 || kv_heads < 1) {
    throw InputError(fmt::format("score trace: {} layers of {} KV heads; each must be at least 1",
                                 layers, kv_heads));
  }
  const FastFit fit = fit_on_first(config, layers, kv_heads);
  ScoreTrace trace;
  trace.meta = generated_meta(config, layers, kv_heads);
  trace.meta.gen = {{"process", config.process},
                    {"context_tokens", config.context_tokens},
                    {"target_reuse_ratio", config.target_reuse_ratio},
                    {"fast", fit.fast},
                    {"fitted_reuse_ratio", fit.reuse_ratio},
                    {"target_reached", fit.reached}};
  trace.scores.type = NpyType::kFloat32;
  for (int i = 0; i < layers * kv_heads; ++i) {
    const auto series = make_score_process(config, i / kv_heads, i % kv_heads)->scores(fit.fast);
    if (i == 0) {
      trace.scores.shape = {series.steps, layers, kv_heads, series.blocks};
      trace.scores.values.resize(static_cast<std::size_t>(series.steps) *
                                 static_cast<std::size_t>(layers * kv_heads * series.blocks));
    }
    copy_series(series, i, layers * kv_heads, trace.scores);
  }
  for (std::int64_t t = 0; t < trace.steps(); ++t) {
    trace.pos.push_back(config.context_tokens - config.calibration_rows + t);
    trace.n_valid.push_back(trace.pos.back() / config.selector.block_tokens);
  }
  return trace;
}

}  // namespace lockstep
