#include "firmware/attention/query_split.h"

#include <algorithm>

#include <fmt/format.h>

#include "tlm/contract/errors.h"

namespace lockstep {

std::vector<QueryGroup> split_queries(int group, int lane_sets, const QueryUnit& unit) {
  const int most = std::min(unit.max_queries, unit.max_queries * unit.max_parts / lane_sets);
  if (most == 0) {
    throw Unsupported(fmt::format(
        "a token takes {} sets of lanes in each bank under this address map and element type, but "
        "the bank unit has {}: raise pim.unit_queries or pim.unit_column_parts",
        lane_sets, unit.max_queries * unit.max_parts));
  }
  std::vector<QueryGroup> groups;
  for (int first = 0; first < group; first += most) {
    const int queries = std::min(most, group - first);
    const int repeats = (queries + unit.queries_per_column - 1) / unit.queries_per_column;
    groups.push_back({first, queries, repeats});
  }
  return groups;
}

int repeats_of_a_column(const std::vector<QueryGroup>& passes, int beats) {
  int repeats = 0;
  for (const auto& pass : passes) repeats += pass.repeats * beats;
  return repeats;
}

}  // namespace lockstep
