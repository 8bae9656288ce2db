// The budget rules of docs/dsa.md, fed with what this stack measures.
#pragma once

#include "sim/sparse/score_sources.h"
#include "sim/sparse/sparse_parts.h"

namespace lockstep {

// Decodes a few tokens of one sparse layer serially, for the window, and with S3 at every delta of
// kDeltas, and applies the rule. The smallest delta where none is safe.
double chosen_delta(const RunConfig& run, const SparseConfig& sparse, const FittedSource& scores);

}  // namespace lockstep
