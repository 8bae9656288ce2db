#include "firmware/attention/query_split.h"

#include <algorithm>

#include <fmt/format.h>

#include "tlm/contract/errors.h"

namespace lockstep {

std::vector<QueryGroup> split_queries(int group, int parts, const QueryUnit& unit) {
  const int most = unit.max_queries;
  if (parts > unit.max_parts) {
    throw Unsupported(
        fmt::format("a token has {} columns in each bank under this address map, but the bank unit "
                    "accumulates {}: set pim.unit_column_parts",
                    parts, unit.max_parts));
  }
  std::vector<QueryGroup> groups;
  for (int first = 0; first < group; first += most) {
    const int queries = std::min(most, group - first);
    const int repeats = (queries + unit.queries_per_column - 1) / unit.queries_per_column;
    groups.push_back({first, queries, repeats});
  }
  return groups;
}

}  // namespace lockstep
