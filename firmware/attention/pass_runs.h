// The operations of one pass in one lockstep domain (docs/attention.md, pass): queries to the
// global buffer, scores of every chunk and their drain, softmax; then probabilities, weighted
// values and their drain.
#pragma once

#include <cstdint>

#include "firmware/attention/query_split.h"
#include "firmware/attention/stripes.h"
#include "tlm/contract/pim_isa.h"

namespace lockstep {

// A pass without its place: rows count from the pool's first, `pass` is 0.
struct PassRuns {
  PimKernel scores;   // WRGB, K columns and MVSB by chunk, SFM
  PimKernel context;  // MVGB and V columns by chunk, MVSB
};

// Chunks of kMacTokens stripes.
int chunks_of(const Stripes& stripes);

// `values` are the stripes of V, and their chunks begin with `first_value_chunk` of the PassData;
// `keys` those of K, from chunk 0 on. Both hold the same tokens.
PassRuns pass_runs(const KvTensorMap& map, int local_head, const QueryGroup& group,
                   const Stripes& keys, const Stripes& values, int first_value_chunk);

}  // namespace lockstep
