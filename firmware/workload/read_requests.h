// Reads a request trace of any format of trace_formats().
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>

#include "firmware/workload/request_trace.h"

namespace lockstep {

// What happens to a request whose prompt or output is outside its range.
enum class TokenPolicy { kError, kDrop, kClip };

struct TokenRange {
  std::int32_t min = 1;
  std::int32_t max = INT32_MAX;
};

struct ReadOptions {
  std::optional<std::string> format;  // without it, the header or first object must be unambiguous
  std::optional<std::int64_t> max_requests;  // the first so many that are accepted
  TokenPolicy token_policy = TokenPolicy::kError;
  TokenRange prompt;
  TokenRange output;
};

// Called now and then with the bytes read so far.
using ProgressFn = std::function<void(std::int64_t bytes_read)>;

// Reads `file` in one pass; memory holds one line and the result. Requests are in file order with
// the file's ids, or numbered from 0 in the order they were accepted if the format has none.
// InputError lists every bad row (the first kMaxListedFaults of them) as `file:line:column: …`, and
// also refuses an unreadable or unrecognised file, and one of which no request is accepted.
RequestTrace read_requests(const std::string& file, const ReadOptions& options,
                           const ProgressFn& progress = {});

// The same from a stream; `name` stands for it in messages.
RequestTrace read_requests(std::istream& stream, const std::string& name,
                           const ReadOptions& options, const ProgressFn& progress = {});

constexpr int kMaxListedFaults = 20;

}  // namespace lockstep
