// The requests of a run: generated, or read from a trace.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/run/run_config.h"

namespace lockstep {

struct ServedRequests {
  std::vector<Request> requests;
  std::string what;    // for people
  std::string report;  // of a trace; empty for a generated workload
};

// Of `file` if there is one, else of the configuration's workload. Throws InputError.
ServedRequests served_requests(const RunConfig& config, const std::optional<std::string>& file);

}  // namespace lockstep
