// Applies the limits on prompt and output length to a request.
#pragma once

#include <optional>
#include <string>

#include "firmware/workload/read_requests.h"

namespace lockstep {

// Moves the lengths of `request` into their ranges; ids and prefix then cover the new prompt only.
void clip_to(const ReadOptions& limits, Request& request);

// Why `request` is outside its ranges; the prompt first. nullopt: it is inside.
std::optional<RejectReason> outside_of(const ReadOptions& limits, const Request& request);

// "output below the minimum of 1: got 0"
std::string describe(RejectReason reason, const ReadOptions& limits, const Request& request);

}  // namespace lockstep
