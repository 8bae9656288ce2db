#include "firmware/sparse/sparse_lists.h"

#include <algorithm>
#include <functional>

#include "firmware/dsa/score_process.h"

namespace lockstep {
namespace {

// The scores that a list is chosen by: of the head, or the sum over all heads of the layer.
ScoreSeries series_of(const SparseConfig& config, const ScoreSource& source, int request, int layer,
                      int head) {
  ScoreSeries series = source(request, layer, head);
  if (config.selector.granularity == Granularity::kKvHead) return series;
  for (int other = 1; other < config.shape.kv_heads; ++other) {
    const ScoreSeries more = source(request, layer, other);
    std::transform(series.scores.begin(), series.scores.end(), more.scores.begin(),
                   series.scores.begin(), std::plus<>());
  }
  return series;
}

}  // namespace

SparseLists::SparseLists(const SparseConfig& config, const CachePlan& plan,
                         const ScoreSource& source, const std::function<void()>& on_layer)
    : heads_(static_cast<std::size_t>(config.shape.kv_heads)) {
  const auto layers = simulated_layers(config);
  layers_ = layers.size();
  ListOptions options;
  options.top_k = dynamic_top_k(config.selector);
  options.calibration_rows = config.calibration_rows;
  options.decode_steps = config.decode_tokens;
  options.delta = config.delta;
  options.rule = config.lists;
  options.row_slack = config.row_slack;
  options.row_cost = config.row_cost;
  options.blocks_per_row = plan.blocks_per_row();
  options.copies_per_step = config.packing.copies_per_step;
  for (int request = 0; request < config.batch; ++request) {
    for (const auto& layer : layers) {
      for (int head = 0; head < config.shape.kv_heads; ++head) {
        if (layer.dense) {
          lists_.emplace_back();
          continue;
        }
        if (head > 0 && config.selector.granularity == Granularity::kLayer) {
          lists_.push_back(lists_.back());
          continue;
        }
        const ScoreSeries series = series_of(config, source, request, layer.index, head);
        if (config.theta) {
          options.theta = *config.theta;
        } else if (head == 0) {
          options.theta = calibrated_theta(series, options.top_k, options.calibration_rows);
        }
        lists_.push_back(make_head_lists(
            series, options,
            HotBlocks(plan.places(request), plan.first_slot(request), plan.slots())));
      }
      if (on_layer) on_layer();
    }
  }
}

double SparseLists::mean_recall() const {
  double sum = 0;
  std::size_t steps = 0;
  for (const auto& head : lists_) {
    if (head.predicted.empty()) continue;
    sum += head.recall_sum;
    steps += head.predicted.size();
  }
  return steps == 0 ? 1 : sum / static_cast<double>(steps);
}

}  // namespace lockstep
