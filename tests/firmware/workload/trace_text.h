// Reads a trace that a test writes out, or a sample of tests/data/traces.
#pragma once

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "firmware/workload/read_requests.h"
#include "firmware/workload/trace_format.h"
#include "tlm/contract/errors.h"

namespace lockstep {

inline RequestTrace read_text(const std::string& text, const ReadOptions& options = {}) {
  std::istringstream stream(text);
  return read_requests(stream, "t", options);
}

// The message with which `text` is refused; "" when it is read.
inline std::string refusal_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    read_text(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline std::string sample_path(const TraceFormat& format) {
  return std::string(LOCKSTEP_SOURCE_DIR "/tests/data/traces/") + std::string(format.name) +
         (format.parse_csv != nullptr ? ".csv" : ".jsonl");
}

inline std::string sample_text(const TraceFormat& format) {
  std::ifstream file(sample_path(format), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline ReadOptions with_format(const std::string& name) {
  ReadOptions options;
  options.format = name;
  return options;
}

}  // namespace lockstep
