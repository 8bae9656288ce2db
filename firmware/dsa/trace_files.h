// Reads and writes score traces: a `dsa-trace/1` directory of meta.json and .npy arrays, or a CSV
// table for small tests (docs/dsa.md).
#pragma once

#include <string>
#include <string_view>

#include "firmware/dsa/score_trace.h"

namespace lockstep {

// Reads meta.json, scores.npy, n_valid.npy, pos.npy, phase.npy and, where present, sel.npy and
// mass.npy; checks the SHA-256 sums that meta.json gives, and check_score_trace. Throws InputError
// with the file and what is wrong.
ScoreTrace read_score_trace(const std::string& directory);

// Makes the directory if needed and replaces its files. Throws InputError when it cannot.
void write_score_trace(const ScoreTrace& trace, const std::string& directory);

// A table `step,phase,layer,head,block,score`, one score a line. Extents are the largest indices,
// and what is not listed cannot be chosen. Of `meta`, block_tokens and k_dyn are used: heads,
// layers and prefill_rows are taken from the table. Throws InputError `file:line: …`.
ScoreTrace parse_trace_csv(std::string_view text, const std::string& file, TraceMeta meta);

}  // namespace lockstep
