// Where the scores of a sparse run come from: a process that is fitted to the wanted reuse, or a
// trace.
#pragma once

#include <string>

#include "firmware/sparse/sparse_lists.h"

namespace lockstep {

struct FittedSource {
  ScoreSource source;
  std::string what;        // for people
  double reuse_ratio = 0;  // reached by the fit; 0 for a trace
};

// Throws InputError if the process cannot be had, or the trace does not match the configuration:
// its blocks, heads, K and length. Layers and requests beyond those of a trace take its layers
// again.
FittedSource score_source(const SparseConfig& config);

}  // namespace lockstep
