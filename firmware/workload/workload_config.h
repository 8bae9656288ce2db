// Reads a workload from a configuration.
#pragma once

#include "configs/config.h"
#include "firmware/workload/workload.h"

namespace lockstep {

// `kind` names a row of workloads(), `requests` is required; `seed` is that of the whole run. The
// rest of the row stands unless the section overrides it: `arrivals_per_step`, or a length as a
// whole by `prompt_shape`, `output_shape` (and with a prefix `prefix_shape`, `own_shape`): a name
// of length_presets(), or `lognormal` with `prompt_median_tokens`, `prompt_sigma`, or `uniform`;
// both with `prompt_min_tokens`, `prompt_max_tokens`. A prefix takes `prefix_share`; speculation
// takes `speculation_branches`, `speculation_drafts`, `speculation_acceptance`. Mistakes are
// reported to the section's document; the result then means nothing.
WorkloadConfig read_workload(ConfigSection& section, std::uint64_t seed);

}  // namespace lockstep
