// How the queries of a GQA group share the bank units: how many go in one pass, and how often each
// column is read for them.
#pragma once

#include <vector>

namespace lockstep {

// What the bank unit offers (tlm/contract/mac_unit.h).
struct QueryUnit {
  int queries_per_column = 1;  // queries that one column access serves at once
  int max_queries = 8;         // of a pass: scores, scalars and lanes are kept for so many
  int max_parts = 2;           // columns of a token, for each of these queries
};

struct QueryGroup {
  int first = 0;    // of the GQA group
  int queries = 1;  // in this pass
  int repeats = 1;  // accesses of each column
};

// The passes of one head, largest first. A query takes `lane_sets` sets of lanes: one for each beat
// of each column of a token. Throws Unsupported if not even one query fits.
std::vector<QueryGroup> split_queries(int group, int lane_sets, const QueryUnit& unit);

// MAC commands to each column over the passes of its head, (19) of docs/model.md: each access takes
// one for each beat.
int repeats_of_a_column(const std::vector<QueryGroup>& passes, int beats);

}  // namespace lockstep
