// What a trace reader returns: requests with the arrival the file gives, and an account of every
// line. to_steps() turns arrivals into engine iterations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/workload/request.h"
#include "tlm/contract/span.h"

namespace lockstep {

enum class ArrivalClock { kNanoseconds, kSteps, kNone };  // kNone: the format has no arrivals

// `request.arrival_step` is not set yet. `arrival` counts the trace's clock from the trace's own
// zero: nanoseconds (of the epoch, for dates) or engine steps; 0 without a clock.
struct TimedRequest {
  std::int64_t arrival = 0;
  Request request;
};

enum class RejectReason {
  kFailedRequest,
  kPromptTooShort,
  kPromptTooLong,
  kOutputTooShort,
  kOutputTooLong,
};

struct RejectReasonText {
  RejectReason reason;
  std::string_view key;  // in reports
  std::string_view what;
};

inline constexpr RejectReasonText kRejectReasons[] = {
    {RejectReason::kFailedRequest, "failed_request", "the service failed: no response tokens"},
    {RejectReason::kPromptTooShort, "prompt_too_short", "prompt below the minimum"},
    {RejectReason::kPromptTooLong, "prompt_too_long", "prompt above the maximum"},
    {RejectReason::kOutputTooShort, "output_too_short", "output below the minimum"},
    {RejectReason::kOutputTooLong, "output_too_long", "output above the maximum"},
};
constexpr std::size_t kRejectReasonCount = std::size(kRejectReasons);

struct ReadReport {
  std::string file;
  std::string format;
  std::int64_t total_lines = 0;  // read, header and blank lines included
  std::int64_t blank_lines = 0;
  std::int64_t accepted = 0;  // requests
  std::array<std::int64_t, kRejectReasonCount> rejected{};
  std::int64_t clipped = 0;              // accepted with a length moved to a limit
  std::int64_t equal_arrivals = 0;       // accepted, at the same time as the one before
  std::int64_t out_of_order = 0;         // accepted, earlier than an earlier line
  std::int64_t chained = 0;              // accepted, arrival bounded from below: see llmservingsim
  bool stopped_at_max_requests = false;  // the rest of the file was not read

  std::int64_t rejected_requests() const {
    std::int64_t sum = 0;
    for (const auto count : rejected) sum += count;
    return sum;
  }
};

struct RequestTrace {
  ArrivalClock clock = ArrivalClock::kNone;
  std::vector<TimedRequest> requests;  // in file order
  ReadReport report;
};

// "trace.csv: azure-llm-2023, 19367 lines, 19366 requests accepted, 0 rejected", with reasons.
std::string summary(const ReadReport& report);

}  // namespace lockstep
