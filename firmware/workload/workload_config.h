// Reads a workload from a configuration.
#pragma once

#include "configs/config.h"
#include "firmware/workload/workload.h"

namespace lockstep {

// `kind` names a row of workloads(), `requests` is required; `seed` is that of the whole run. The
// rest of the row stands unless the section overrides it: `arrivals_per_step`, `prefix_share`,
// and each length by a complete map of its own: `prompt`, `output` and, where there is a prefix,
// `prefix` and `own`. Its `shape` is a row of length_presets(), or `lognormal` with
// `median_tokens`, `sigma`, or `uniform`; the last two with `min_tokens`, `max_tokens`. Mistakes
// are reported to the section's document; the result then means nothing.
WorkloadConfig read_workload(ConfigSection section, std::uint64_t seed);

}  // namespace lockstep
