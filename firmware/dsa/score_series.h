// The scores of one (layer, KV head) over time, and what a scheduler would have made of them: how
// well the prediction covers the selection, and how friendly both are to rows (docs/dsa.md).
#pragma once

#include <optional>
#include <vector>

#include "firmware/dsa/calibration.h"

namespace lockstep {

struct ScoreSeries {
  std::int64_t steps = 0;
  std::int64_t blocks = 0;
  std::vector<double> scores;  // [step][block]; NaN: not complete, or forced

  Span<double> row(std::int64_t step) const {
    return {scores.data() + step * blocks, static_cast<std::size_t>(blocks)};
  }
};

// What a step speculated on and what it then had to repair. All lists are sorted by block.
struct RepairLists {
  BlockList predicted;  // P
  BlockList selected;   // A
  BlockList missed;     // M = A \ P
  BlockList wasted;     // N = P \ A
};

RepairLists repair_lists(BlockList predicted, BlockList selected);

// |guess n selected| / |selected|; 1 when nothing was selected.
double overlap(const BlockList& guess, const BlockList& selected);

// Mean number of the list's blocks in each region of `region_blocks` blocks it touches; 0 if empty.
double blocks_per_region(const BlockList& list, std::int64_t region_blocks);

// What blocks_per_region would be if `chosen` of `of` blocks were drawn independently.
double independent_blocks_per_region(double chosen, double of, std::int64_t region_blocks);

struct SeriesOptions {
  std::int64_t top_k = 0;             // K, forced blocks not counted
  std::int64_t calibration_rows = 0;  // leading rows that only calibrate; at least 1
  std::vector<double> deltas;
  std::vector<std::int64_t> lags;
  std::int64_t region_blocks = 1;  // blocks that share one row index over the stack
  CalibrationWeights weights = CalibrationWeights::kClippedAtZero;
  std::optional<Theta> theta;         // overrides calibration
  const ScoreSeries* mass = nullptr;  // softmax mass per block, NaN: none; adds the mass statistics
};

struct DeltaStatistics {
  double delta = 0;
  double overlap_ratio = 0;          // mean of |P n A| / |A| over steps
  double overlap_ratio_p5 = 0;       // its 5th percentile
  double weighted_recall_ratio = 0;  // the same, each block weighted by its score (clipped at 0)
  double reuse_overlap_ratio = 0;    // with the last scores instead of the predicted ones
  double missed_blocks = 0;          // mean |M|
  double wasted_blocks = 0;          // mean |N|
  double turnover_ratio = 0;         // mean of |P \ previous P| / |P|
  double predicted_blocks_per_region = 0;
  double missed_blocks_per_region = 0;  // over steps that missed something
  double covered_mass_ratio = 0;        // mean softmax mass of P u A; 0 without masses
  double wasted_mass_ratio = 0;         // mean softmax mass of N
  std::vector<std::int64_t> missed_by_step;
};

struct SeriesStatistics {
  Theta theta;
  double calibration_hit_ratio = 0;  // Eq. 4 at theta; 0 when theta was given
  std::int64_t decode_steps = 0;
  double reuse_overlap_ratio = 0;         // of A with the A of the step before
  std::vector<double> lag_overlap_ratio;  // per lag; NaN when the series is too short
  double selected_blocks_per_region = 0;
  double independent_blocks_per_region = 0;
  std::vector<DeltaStatistics> deltas;
};

// Rows before `calibration_rows` calibrate and warm the predictor; every later row is a decode step
// that predicts first and observes then. Needs at least one decode row (InternalError).
SeriesStatistics series_statistics(const ScoreSeries& series, const SeriesOptions& options);

// Mean overlap of the selections `lag` steps apart, from row `begin` on; NaN when there is no pair.
double reuse_overlap(const ScoreSeries& series, std::int64_t top_k, std::int64_t begin,
                     std::int64_t lag);

}  // namespace lockstep
