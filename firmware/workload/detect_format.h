// Finds the format of a trace by its first line that is not blank.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware/workload/trace_format.h"

namespace lockstep {

struct DetectedFormat {
  const TraceFormat* format = nullptr;
  std::vector<std::string> header;  // column names, in the file's order; empty for JSON lines
};

// `at` is `file:line` for messages. With a name, the line must suit that format (a CSV header may
// have its columns in any order, and others besides); without, exactly one format must match.
// InputError otherwise.
DetectedFormat detect_format(const std::string& line, const std::optional<std::string>& name,
                             const std::string& at);

}  // namespace lockstep
