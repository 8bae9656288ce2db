#include "firmware/workload/token_limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct Limit {
  RejectReason reason;
  TokenRange ReadOptions::*range;
  std::int32_t TokenRange::*bound;
  std::int32_t Request::*tokens;
};

constexpr Limit kLimits[] = {
    {RejectReason::kPromptTooShort, &ReadOptions::prompt, &TokenRange::min,
     &Request::prompt_tokens},
    {RejectReason::kPromptTooLong, &ReadOptions::prompt, &TokenRange::max, &Request::prompt_tokens},
    {RejectReason::kOutputTooShort, &ReadOptions::output, &TokenRange::min,
     &Request::output_tokens},
    {RejectReason::kOutputTooLong, &ReadOptions::output, &TokenRange::max, &Request::output_tokens},
};

bool breaks(const Limit& limit, const ReadOptions& limits, const Request& request) {
  const auto bound = limits.*limit.range.*limit.bound;
  const auto tokens = request.*limit.tokens;
  return limit.bound == &TokenRange::min ? tokens < bound : tokens > bound;
}

}  // namespace

void clip_to(const ReadOptions& limits, Request& request) {
  const std::int64_t old_prompt = request.prompt_tokens;
  for (const Limit& limit : kLimits) {
    if (breaks(limit, limits, request)) request.*limit.tokens = limits.*limit.range.*limit.bound;
  }
  request.prefix_tokens = std::min(request.prefix_tokens, request.prompt_tokens);
  if (request.hash_block_tokens == 0) return;
  // An id of a partial block stays one: in a longer prompt that block holds other tokens.
  const std::int64_t block = request.hash_block_tokens;
  const std::int64_t known = request.prompt_tokens > old_prompt
                                 ? old_prompt / block
                                 : (request.prompt_tokens + block - 1) / block;
  const auto count = static_cast<std::size_t>(known);
  if (request.hash_ids.size() > count) request.hash_ids.resize(count);
}

std::optional<RejectReason> outside_of(const ReadOptions& limits, const Request& request) {
  for (const Limit& limit : kLimits) {
    if (breaks(limit, limits, request)) return limit.reason;
  }
  return std::nullopt;
}

std::string describe(RejectReason reason, const ReadOptions& limits, const Request& request) {
  for (const Limit& limit : kLimits) {
    if (limit.reason != reason) continue;
    const auto what = kRejectReasons[static_cast<std::size_t>(reason)].what;
    return fmt::format("{} of {} tokens, got {}", what, limits.*limit.range.*limit.bound,
                       request.*limit.tokens);
  }
  throw InternalError("a request was refused for a reason that is not a limit");
}

}  // namespace lockstep
