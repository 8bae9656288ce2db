// What the summaries of all kinds of run begin with, and how they write a number that may be
// absent.
#pragma once

#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/run/run_config.h"
#include "sim/version.h"

namespace lockstep {

constexpr int kReportSchema = 1;  // of summary.json and timing.json

inline nlohmann::ordered_json number(std::optional<double> value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json report_head(const RunConfig& config, std::uint64_t seed) {
  return {{"schema", kReportSchema},
          {"model_version", kModelVersion},
          {"name", config.name},
          {"config_hash", config.hash},
          {"seed", seed},
          {"detail", kDetails[static_cast<std::size_t>(config.detail)]}};
}

}  // namespace lockstep
