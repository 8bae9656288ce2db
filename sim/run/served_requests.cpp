#include "sim/run/served_requests.h"

#include <fmt/format.h>

#include "firmware/workload/to_steps.h"

namespace lockstep {

ServedRequests served_requests(const RunConfig& config, const std::optional<std::string>& file) {
  if (!file) {
    return {generate_requests(config.workload),
            fmt::format("{} generated requests", config.workload.requests), ""};
  }
  const auto trace = read_requests(*file, config.replay.options);
  StepRule rule = MeanConcurrency{config.replay.running};
  if (trace.clock != ArrivalClock::kNanoseconds) rule = GivenSteps{};
  auto schedule = to_steps(trace, rule);
  std::string what =
      fmt::format("{} requests of {}", schedule.requests.size(), trace.report.format);
  if (schedule.nanoseconds_per_step > 0) {
    what +=
        fmt::format(", a step every {:.3f} ms of the trace", schedule.nanoseconds_per_step / 1e6);
  }
  return {std::move(schedule.requests), what, summary(trace.report)};
}

}  // namespace lockstep
