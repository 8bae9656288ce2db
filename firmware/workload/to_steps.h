// Arrival times of a trace to engine iterations.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "firmware/workload/request_trace.h"

namespace lockstep {

// The trace counts steps already (or has no arrivals: then all requests arrive at step 0).
struct GivenSteps {};

// `steps` engine iterations take `nanoseconds`. The first arrival is at step 0.
struct StepLength {
  std::int64_t nanoseconds = 0;
  std::int64_t steps = 1;
};

// The length of a step such that `running` sequences decode on average while requests arrive, when
// none waits. A request runs one step for each output token, so the trace brings S token-steps, S
// its sum of outputs; spread over the span T from first to last arrival, they keep S x step / T
// sequences running (Little's law). Hence step = running x T / S, and the arrival at time t is at
// step floor((t - first) x S / (running x T)), in integers.
struct MeanConcurrency {
  std::int64_t running = 0;
};

// Arrivals of the trace are replaced by a Poisson process, in file order; its lengths stay.
struct PoissonArrivals {
  double per_step = 0;
  std::uint64_t seed = 0;
};

using StepRule = std::variant<GivenSteps, StepLength, MeanConcurrency, PoissonArrivals>;

enum class OutOfOrder { kSort, kRefuse };

struct StepSchedule {
  std::vector<Request> requests;    // by arrival_step; file order among equal arrivals
  std::int64_t reordered = 0;       // requests that arrived before an earlier one of the file
  double nanoseconds_per_step = 0;  // 0 when the rule has none
};

// InputError if the rule does not suit the trace's clock, a parameter is out of range, the span is
// 0 for MeanConcurrency, or a request is out of order and that is to be refused.
StepSchedule to_steps(const RequestTrace& trace, const StepRule& rule,
                      OutOfOrder out_of_order = OutOfOrder::kSort);

// Steps of the first `count` arrivals of a Poisson process, ascending.
std::vector<std::int64_t> poisson_arrival_steps(std::int64_t count, double per_step,
                                                std::uint64_t seed);

// Range of a Poisson rate: below it, finding one request would take 10,000 steps.
constexpr double kMinArrivalsPerStep = 1e-4;
constexpr double kMaxArrivalsPerStep = 1e4;

}  // namespace lockstep
