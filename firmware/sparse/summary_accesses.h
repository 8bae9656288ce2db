// What the processor reads and writes of the summaries of a request, in the channels that hold
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/sparse/cache_plan.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

// All summaries of the first `tokens` tokens. `layer` is one of those simulated.
void append_summary_reads(const SparseConfig& config, const CachePlan& plan, int layer, int request,
                          std::int64_t tokens, std::vector<HostAccess>& reads);
// The summary that the last of `tokens` tokens completes, if it completes one.
void append_summary_writes(const SparseConfig& config, const CachePlan& plan, int layer,
                           int request, std::int64_t tokens, std::vector<HostAccess>& writes);

}  // namespace lockstep
