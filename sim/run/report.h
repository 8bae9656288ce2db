// Results of a comparison for people (a table) and machines (JSON, CSV).
#pragma once

#include <string>

#include "sim/run/comparison.h"

namespace lockstep {

// A table, a column a policy, and the gains on the last line.
std::string text_report(const RunConfig& config, const Comparison& comparison);
// summary.json: every number but wall-clock times, which would differ from run to run.
std::string summary_json(const RunConfig& config, const Comparison& comparison);
// timing.json: how long the run took on this machine.
std::string timing_json(const Comparison& comparison);
// steps.csv: one line per policy and step.
std::string steps_csv(const RunConfig& config, const Comparison& comparison);

}  // namespace lockstep
