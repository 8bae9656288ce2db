// What one KV head of one request and layer selects and predicts, step by step: everything that a
// schedule needs of the scores. Replays are open loop, so all schedules share these lists.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/dsa/score_series.h"
#include "firmware/sparse/hot_blocks.h"
#include "firmware/sparse/sparse_config.h"

namespace lockstep {

struct ListOptions {
  std::int64_t top_k = 0;
  std::int64_t calibration_rows = 0;
  std::int64_t decode_steps = 0;  // later rows are not looked at
  double delta = 1;
  Theta theta;
  ListRule rule = ListRule::kPlain;
  RowCost row_cost;
  double row_slack = 0;             // SparseConfig::row_slack
  std::int64_t blocks_per_row = 1;  // blocks that share one row index over the stack
  std::int64_t copies_per_step = 0;
};

struct HeadLists {
  // A of each decode step, behind that of the row before the first.
  std::vector<BlockList> selected;
  std::vector<BlockList> predicted;          // P of each decode step
  std::vector<HotCopy> first_copies;         // before the first step
  std::vector<std::vector<HotCopy>> copies;  // after each step
  // Of the best K in A, summed over decode steps: one a step unless A is regions or has a slack.
  double recall_sum = 0;

  const BlockList& selection(std::int64_t step) const {
    return selected[static_cast<std::size_t>(step) + 1];
  }
  const BlockList& last_selection(std::int64_t step) const {
    return selected[static_cast<std::size_t>(step)];
  }
  const BlockList& prediction(std::int64_t step) const {
    return predicted[static_cast<std::size_t>(step)];
  }
};

// `hot` starts empty and follows the predictor, which rows before calibration_rows only warm. P of
// a step depends on the rows before it alone. Throws InternalError unless there is a row before the
// first decode step, and one for each.
HeadLists make_head_lists(const ScoreSeries& series, const ListOptions& options, HotBlocks hot);

// Calibrated on the rows before the first decode step.
Theta calibrated_theta(const ScoreSeries& series, std::int64_t top_k, std::int64_t rows);

}  // namespace lockstep
