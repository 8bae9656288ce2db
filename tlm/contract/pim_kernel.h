// A PIM kernel: the run-length list of column accesses that a host sends to one lockstep domain.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

// `columns` all-bank column commands in one row, from `column` on. Under some maps the banks of one
// command read different columns of the row; `column` is then the lowest (docs/model.md).
struct RowVisit {
  std::int32_t row = 0;
  std::int32_t column = 0;
  std::int32_t columns = 0;

  friend bool operator==(const RowVisit& a, const RowVisit& b) {
    return a.row == b.row && a.column == b.column && a.columns == b.columns;
  }
};

using RowVisits = std::vector<RowVisit>;

}  // namespace lockstep
