#include "firmware/workload/to_steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "firmware/workload/random_streams.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/units.h"

namespace lockstep {
namespace {

[[noreturn]] void refuse(const RequestTrace& trace, const std::string& message) {
  throw InputError(trace.report.file + ": " + message + "\n");
}

constexpr std::int64_t kMaxStep = std::int64_t{1} << 62;

// One step lasts numerator/denominator units of the trace's clock.
struct Ratio {
  WideInteger numerator = 1;
  WideInteger denominator = 1;
};

struct Span64 {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

Span64 span_of(const RequestTrace& trace) {
  const auto earlier = [](const TimedRequest& a, const TimedRequest& b) {
    return a.arrival < b.arrival;
  };
  const auto [first, last] =
      std::minmax_element(trace.requests.begin(), trace.requests.end(), earlier);
  return {first->arrival, last->arrival};
}

class ToSteps {
 public:
  explicit ToSteps(const RequestTrace& trace) : trace_(trace) {
    for (const auto& timed : trace.requests) schedule_.requests.push_back(timed.request);
  }

  void operator()(const GivenSteps& /*rule*/) {
    if (trace_.clock == ArrivalClock::kNanoseconds) {
      refuse(trace_, "arrivals are times, not steps; give the length of a step");
    }
    for (std::size_t i = 0; i < trace_.requests.size(); ++i) {
      schedule_.requests[i].arrival_step = trace_.requests[i].arrival;
    }
  }

  void operator()(const StepLength& length) {
    if (trace_.clock != ArrivalClock::kNanoseconds) {
      refuse(trace_, "arrivals are not times, so a step has no length in ns");
    }
    if (length.nanoseconds < 1 || length.steps < 1) {
      refuse(trace_, fmt::format("expected a positive length of a step, got {} ns for {} steps",
                                 length.nanoseconds, length.steps));
    }
    scale({length.nanoseconds, length.steps});
  }

  void operator()(const MeanConcurrency& mean) {
    constexpr std::int64_t kMostRunning = INT32_MAX;  // the product below stays under 2^94
    if (mean.running < 1 || mean.running > kMostRunning) {
      refuse(trace_, fmt::format("expected 1 running sequence or more, got {}", mean.running));
    }
    const auto [first, last] = span_of(trace_);
    if (trace_.clock == ArrivalClock::kNone || first == last) {
      refuse(trace_,
             "all requests arrive at once, so no length of a step gives a mean concurrency");
    }
    WideInteger outputs = 0;
    for (const auto& timed : trace_.requests) outputs += timed.request.output_tokens;
    if (outputs == 0) refuse(trace_, "no request has output tokens");
    scale({static_cast<WideInteger>(mean.running) * (last - first), outputs});
  }

  void operator()(const PoissonArrivals& poisson) {
    if (!(poisson.per_step >= kMinArrivalsPerStep && poisson.per_step <= kMaxArrivalsPerStep)) {
      refuse(trace_, fmt::format("expected {} to {} arrivals a step, got {}", kMinArrivalsPerStep,
                                 kMaxArrivalsPerStep, poisson.per_step));
    }
    const auto count = static_cast<std::int64_t>(schedule_.requests.size());
    const auto steps = poisson_arrival_steps(count, poisson.per_step, poisson.seed);
    for (std::size_t i = 0; i < steps.size(); ++i) schedule_.requests[i].arrival_step = steps[i];
  }

  StepSchedule finish(OutOfOrder out_of_order) {
    auto& requests = schedule_.requests;
    std::int64_t latest = requests.empty() ? 0 : requests.front().arrival_step;
    for (const Request& request : requests) {
      if (request.arrival_step < latest) ++schedule_.reordered;
      latest = std::max(latest, request.arrival_step);
    }
    if (schedule_.reordered != 0 && out_of_order == OutOfOrder::kRefuse) {
      refuse(trace_, fmt::format("{} requests arrive before an earlier one of the file",
                                 schedule_.reordered));
    }
    std::stable_sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
      return a.arrival_step < b.arrival_step;
    });
    return std::move(schedule_);
  }

 private:
  void scale(const Ratio& step) {
    const auto first = span_of(trace_).first;
    for (std::size_t i = 0; i < trace_.requests.size(); ++i) {
      const WideInteger since = trace_.requests[i].arrival - first;
      const WideInteger at = since * step.denominator / step.numerator;
      if (at > kMaxStep) {
        refuse(trace_, fmt::format("an arrival is beyond step {}; take a longer step", kMaxStep));
      }
      schedule_.requests[i].arrival_step = static_cast<std::int64_t>(at);
    }
    if (trace_.clock == ArrivalClock::kNanoseconds) {
      schedule_.nanoseconds_per_step =
          static_cast<double>(step.numerator) / static_cast<double>(step.denominator);
    }
  }

  const RequestTrace& trace_;
  StepSchedule schedule_;
};

}  // namespace

StepSchedule to_steps(const RequestTrace& trace, const StepRule& rule, OutOfOrder out_of_order) {
  ensure(!trace.requests.empty(), "a request trace without requests reached to_steps");
  ToSteps conversion(trace);
  std::visit(conversion, rule);
  return conversion.finish(out_of_order);
}

std::vector<std::int64_t> poisson_arrival_steps(std::int64_t count, double per_step,
                                                std::uint64_t seed) {
  ensure(per_step >= kMinArrivalsPerStep, "a Poisson rate is too low to draw from step by step");
  Random random = random_of(seed, RandomStream::kArrivals);
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 0; static_cast<std::int64_t>(steps.size()) < count; ++step) {
    auto arrivals = random.poisson(per_step);
    for (; arrivals > 0 && static_cast<std::int64_t>(steps.size()) < count; --arrivals) {
      steps.push_back(step);
    }
  }
  return steps;
}

}  // namespace lockstep
