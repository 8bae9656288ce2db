#include "firmware/sparse/head_lists.h"

#include <algorithm>

#include "firmware/dsa/calibration.h"
#include "firmware/dsa/rank_curve.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

class ListMaker {
 public:
  ListMaker(const ListOptions& options, HotBlocks hot)
      : options_(options), hot_(std::move(hot)), predictor_(options.theta), ranks_(options.top_k) {}

  HeadLists run(const ScoreSeries& series) {
    for (std::int64_t t = 0; t < options_.calibration_rows + options_.decode_steps; ++t) {
      const Span<double> scores = series.row(t);
      const bool decodes = t >= options_.calibration_rows;
      if (t == options_.calibration_rows && hot_.slots() > 0)
        lists_.first_copies = hot_.follow(predictor_.predicted_scores(), hot_.slots());
      if (decodes) lists_.predicted.push_back(predict());
      if (decodes || t + 1 == options_.calibration_rows) select(scores, decodes);
      if (options_.rule == ListRule::kRowAware && t > 0)
        ranks_.observe(predictor_.predicted_scores(), top_blocks(scores, options_.top_k));
      predictor_.observe(scores);
      if (decodes && hot_.slots() > 0) {
        lists_.copies.push_back(
            hot_.follow(predictor_.predicted_scores(), options_.copies_per_step));
      }
    }
    return std::move(lists_);
  }

 private:
  RowOfBlock row_of() const {
    return [this](BlockIndex block) { return hot_.place(block) / options_.blocks_per_row; };
  }

  void select(Span<double> scores, bool decodes) {
    BlockList best = top_blocks(scores, options_.top_k);
    BlockList chosen = options_.rule == ListRule::kRegions ? regions(scores, best)
                       : options_.row_slack > 0            ? by_open_rows(scores)
                                                           : best;
    if (decodes) lists_.recall_sum += overlap(chosen, best);
    lists_.selected.push_back(std::move(chosen));
  }

  BlockList by_open_rows(Span<double> scores) const {
    const auto exchanged =
        static_cast<std::int64_t>(options_.row_slack * static_cast<double>(options_.top_k));
    return top_blocks_by_row(scores, options_.top_k, exchanged, row_of());
  }

  // As many whole regions as can be read in the time of the best K, at least one.
  BlockList regions(Span<double> scores, const BlockList& best) {
    const double budget_ns = reading_ns(best, row_of(), options_.row_cost);
    const double region_ns =
        options_.row_cost.open_row_ns +
        static_cast<double>(options_.blocks_per_row) * options_.row_cost.block_ns;
    regions_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(budget_ns / region_ns));
    return top_regions(scores, options_.blocks_per_row, regions_);
  }

  BlockList predict() const {
    if (options_.rule == ListRule::kRegions) {
      return top_regions(predictor_.predicted_scores(), options_.blocks_per_row,
                         budget_blocks(options_.delta, regions_));
    }
    BlockList plain = predictor_.predict(budget_blocks(options_.delta, options_.top_k));
    if (options_.rule != ListRule::kRowAware) return plain;
    return row_aware_prediction(ranks_.probabilities(predictor_.predicted_scores()), row_of(),
                                options_.row_cost, reading_ns(plain, row_of(), options_.row_cost));
  }

  const ListOptions& options_;
  HotBlocks hot_;
  EmaPredictor predictor_;
  RankCurve ranks_;
  std::int64_t regions_ = 1;  // of the latest selection
  HeadLists lists_;
};

}  // namespace

HeadLists make_head_lists(const ScoreSeries& series, const ListOptions& options, HotBlocks hot) {
  ensure(options.calibration_rows >= 1 &&
             options.calibration_rows + options.decode_steps <= series.steps,
         "lists need a row before the first decode step, and one for each");
  return ListMaker(options, std::move(hot)).run(series);
}

Theta calibrated_theta(const ScoreSeries& series, std::int64_t top_k, std::int64_t rows) {
  Calibrator calibrator(top_k, CalibrationWeights::kClippedAtZero);
  for (std::int64_t t = 0; t < rows; ++t) calibrator.add_row(series.row(t));
  return calibrator.result().best;
}

}  // namespace lockstep
