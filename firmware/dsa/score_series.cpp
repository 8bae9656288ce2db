#include "firmware/dsa/score_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  double value(double without = 0) const {
    return count_ == 0 ? without : sum_ / static_cast<double>(count_);
  }

 private:
  double sum_ = 0;
  std::int64_t count_ = 0;
};

// Linear between the two nearest order statistics.
double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

double weighted_recall(Span<double> scores, const RepairLists& lists) {
  double hit = 0;
  double all = 0;
  const auto weight = [&](BlockIndex b) {
    return std::max(0.0, scores[static_cast<std::size_t>(b)]);
  };
  for (const BlockIndex b : lists.selected) all += weight(b);
  for (const BlockIndex b : lists.missed) hit -= weight(b);
  return all > 0 ? (all + hit) / all : 1;
}

double mass_of(Span<double> mass, const BlockList& blocks) {
  double sum = 0;
  for (const BlockIndex b : blocks) {
    const double share = mass[static_cast<std::size_t>(b)];
    if (!std::isnan(share)) sum += share;
  }
  return sum;
}

// Gathers the statistics of one delta, step by step.
class DeltaGatherer {
 public:
  DeltaGatherer(double delta, const SeriesOptions& options)
      : options_(options), count_(budget_blocks(delta, options.top_k)) {
    result_.delta = delta;
  }

  void step(const EmaPredictor& predictor, const ScoreSeries& series, std::int64_t t,
            const BlockList& selected) {
    const RepairLists lists = repair_lists(predictor.predict(count_), selected);
    overlaps_.push_back(overlap(lists.predicted, selected));
    recall_.add(weighted_recall(series.row(t), lists));
    reuse_.add(overlap(top_blocks(series.row(t - 1), count_), selected));
    missed_.add(static_cast<double>(lists.missed.size()));
    wasted_.add(static_cast<double>(lists.wasted.size()));
    if (!previous_.empty() && !lists.predicted.empty()) {
      turnover_.add(1 - overlap(previous_, lists.predicted));
    }
    predicted_region_.add(blocks_per_region(lists.predicted, options_.region_blocks));
    if (!lists.missed.empty()) {
      missed_region_.add(blocks_per_region(lists.missed, options_.region_blocks));
    }
    if (options_.mass != nullptr) {
      const Span<double> mass = options_.mass->row(t);
      covered_mass_.add(mass_of(mass, all_blocks(lists.predicted, selected)));
      wasted_mass_.add(mass_of(mass, lists.wasted));
    }
    result_.missed_by_step.push_back(static_cast<std::int64_t>(lists.missed.size()));
    previous_ = lists.predicted;
  }

  DeltaStatistics finish() {
    Mean mean;
    for (const double value : overlaps_) mean.add(value);
    result_.overlap_ratio = mean.value();
    result_.overlap_ratio_p5 = quantile(overlaps_, 0.05);
    result_.weighted_recall_ratio = recall_.value();
    result_.reuse_overlap_ratio = reuse_.value();
    result_.missed_blocks = missed_.value();
    result_.wasted_blocks = wasted_.value();
    result_.turnover_ratio = turnover_.value();
    result_.predicted_blocks_per_region = predicted_region_.value();
    result_.missed_blocks_per_region = missed_region_.value();
    result_.covered_mass_ratio = covered_mass_.value();
    result_.wasted_mass_ratio = wasted_mass_.value();
    return result_;
  }

 private:
  const SeriesOptions& options_;
  std::int64_t count_;
  std::vector<double> overlaps_;
  Mean recall_, reuse_, missed_, wasted_, turnover_, predicted_region_, missed_region_;
  Mean covered_mass_, wasted_mass_;
  BlockList previous_;
  DeltaStatistics result_;
};

// Theta from the leading rows, or as given.
void choose_theta(const ScoreSeries& series, const SeriesOptions& options,
                  SeriesStatistics& result) {
  if (options.theta) {
    result.theta = *options.theta;
    return;
  }
  Calibrator calibrator(options.top_k, options.weights);
  for (std::int64_t t = 0; t < options.calibration_rows; ++t) calibrator.add_row(series.row(t));
  const Calibration calibration = calibrator.result();
  result.theta = calibration.best;
  for (const double h : calibration.h) {
    result.calibration_hit_ratio = std::max(result.calibration_hit_ratio, h);
  }
}

}  // namespace

RepairLists repair_lists(BlockList predicted, BlockList selected) {
  RepairLists lists;
  lists.missed = blocks_without(selected, predicted);
  lists.wasted = blocks_without(predicted, selected);
  lists.predicted = std::move(predicted);
  lists.selected = std::move(selected);
  return lists;
}

double overlap(const BlockList& guess, const BlockList& selected) {
  if (selected.empty()) return 1;
  return static_cast<double>(count_common(guess, selected)) / static_cast<double>(selected.size());
}

double blocks_per_region(const BlockList& list, std::int64_t region_blocks) {
  std::int64_t regions = 0;
  std::int64_t last = -1;
  for (const BlockIndex block : list) {
    const std::int64_t region = block / region_blocks;
    if (region != last) ++regions;
    last = region;
  }
  return regions == 0 ? 0 : static_cast<double>(list.size()) / static_cast<double>(regions);
}

double independent_blocks_per_region(double chosen, double of, std::int64_t region_blocks) {
  if (of <= 0 || chosen <= 0) return 0;
  const double share = chosen / of;
  const auto blocks = static_cast<double>(region_blocks);
  return share * blocks / (1 - std::pow(1 - share, blocks));
}

SeriesStatistics series_statistics(const ScoreSeries& series, const SeriesOptions& options) {
  ensure(options.calibration_rows >= 1 && options.calibration_rows < series.steps,
         "statistics need a calibration row and a decode row");
  SeriesStatistics result;
  choose_theta(series, options, result);
  EmaPredictor predictor(result.theta);
  std::vector<DeltaGatherer> gatherers;
  for (const double delta : options.deltas) gatherers.emplace_back(delta, options);
  Mean selected_region;
  Mean independent;
  for (std::int64_t t = 0; t < series.steps; ++t) {
    const Span<double> now = series.row(t);
    if (t >= options.calibration_rows) {
      const BlockList selected = top_blocks(now, options.top_k);
      for (auto& gatherer : gatherers) gatherer.step(predictor, series, t, selected);
      selected_region.add(blocks_per_region(selected, options.region_blocks));
      independent.add(independent_blocks_per_region(static_cast<double>(selected.size()),
                                                    static_cast<double>(choosable_blocks(now)),
                                                    options.region_blocks));
    }
    predictor.observe(now);
  }
  result.decode_steps = series.steps - options.calibration_rows;
  result.reuse_overlap_ratio = reuse_overlap(series, options.top_k, options.calibration_rows, 1);
  for (const std::int64_t lag : options.lags) {
    result.lag_overlap_ratio.push_back(
        reuse_overlap(series, options.top_k, options.calibration_rows, lag));
  }
  result.selected_blocks_per_region = selected_region.value();
  result.independent_blocks_per_region = independent.value();
  for (auto& gatherer : gatherers) result.deltas.push_back(gatherer.finish());
  return result;
}

double reuse_overlap(const ScoreSeries& series, std::int64_t top_k, std::int64_t begin,
                     std::int64_t lag) {
  std::vector<BlockList> selected;
  for (std::int64_t t = begin; t < series.steps; ++t) {
    selected.push_back(top_blocks(series.row(t), top_k));
  }
  Mean mean;
  for (auto t = static_cast<std::size_t>(lag); t < selected.size(); ++t) {
    mean.add(overlap(selected[t - static_cast<std::size_t>(lag)], selected[t]));
  }
  return mean.value(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace lockstep
