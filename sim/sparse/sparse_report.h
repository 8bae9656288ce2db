// Results of a sparse run for people (a table) and machines (JSON, CSV).
#pragma once

#include <string>

#include "sim/sparse/sparse_comparison.h"

namespace lockstep {

std::string sparse_text_report(const RunConfig& config, const SparseComparison& comparison);
// Every number but wall-clock times.
std::string sparse_summary_json(const RunConfig& config, const SparseComparison& comparison);
std::string sparse_timing_json(const SparseComparison& comparison);
// One line per schedule and token.
std::string sparse_steps_csv(const SparseComparison& comparison);

}  // namespace lockstep
