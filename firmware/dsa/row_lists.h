// Lists that respect DRAM rows: a block in a row that is open anyway costs less time than one in a
// row of its own. Where a block lies is the caller's business.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "firmware/dsa/block_list.h"

namespace lockstep {

using RowOfBlock = std::function<std::int64_t(BlockIndex)>;

struct RowCost {
  double open_row_ns = 0;  // once per row touched
  double block_ns = 0;     // per block; above 0
};

std::int64_t rows_touched(const BlockList& blocks, const RowOfBlock& row_of);

double reading_ns(const BlockList& blocks, const RowOfBlock& row_of, const RowCost& cost);

// A prediction that fits in `budget_ns` and is worth much: rows are opened, and blocks added to
// open rows, in order of inclusion probability per nanosecond (ties: lower row). `probability` is
// per block (RankCurve::probabilities); a block of probability 0 is never taken.
BlockList row_aware_prediction(const std::vector<double>& probability, const RowOfBlock& row_of,
                               const RowCost& cost, double budget_ns);

// The `count` best blocks, but the last `exchanged` of them compete with the next `exchanged` ones
// by row: those in a row that the list reads anyway come first, then those of higher score (ties:
// lower block). So the list holds the best count - exchanged and touches as few or fewer rows. NaN
// cannot be chosen. `exchanged` is at most `count`.
BlockList top_blocks_by_row(Span<double> scores, std::int64_t count, std::int64_t exchanged,
                            const RowOfBlock& row_of);

// Region-granular selection: the `count` regions of `region_blocks` consecutive blocks that hold
// the highest scores, whole. NaN cannot be chosen; ties go to the lower region.
BlockList top_regions(Span<double> scores, std::int64_t region_blocks, std::int64_t count);

}  // namespace lockstep
