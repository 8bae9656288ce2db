// Results of an attention comparison for people (a table) and machines (JSON, CSV).
#pragma once

#include <string>

#include "sim/attention/attention_comparison.h"

namespace lockstep {

std::string attention_text_report(const RunConfig& config, const AttentionComparison& comparison);
// Every number but wall-clock times.
std::string attention_summary_json(const RunConfig& config, const AttentionComparison& comparison);
std::string attention_timing_json(const AttentionComparison& comparison);
// One line per policy and step.
std::string attention_steps_csv(const RunConfig& config, const AttentionComparison& comparison);

}  // namespace lockstep
