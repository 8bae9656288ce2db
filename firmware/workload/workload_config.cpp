#include "firmware/workload/workload_config.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "firmware/workload/portable_math.h"
#include "firmware/workload/to_steps.h"

namespace lockstep {
namespace {

constexpr int kMostTokens = 1 << 29;  // a prefix and what follows it fit in 32 bits
constexpr double kMaxSigma = 5;

template <typename Row>
const Row* find(Span<Row> rows, const std::string& name) {
  const auto* row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  return row == rows.end() ? nullptr : row;
}

template <typename Row>
std::string names_of(Span<Row> rows) {
  std::string names;
  for (const Row& row : rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

std::optional<double> decimal_of(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

double decimal(ConfigSection& section, const std::string& key, double low, double high) {
  const auto text = section.required<std::string>(key);
  const auto value = decimal_of(text);
  const bool good = value && *value >= low && *value <= high;
  section.require(
      good, key, fmt::format("expected a decimal number from {} to {}, got `{}`", low, high, text));
  return good ? *value : low;
}

double decimal(ConfigSection& section, const std::string& key, double low, double high,
               double fallback) {
  if (section.optional<std::string>(key, "").empty()) return fallback;
  return decimal(section, key, low, high);
}

int whole(ConfigSection& section, const std::string& key, int low, int high) {
  const int value = section.required<int>(key);
  section.require(value >= low && value <= high, key,
                  fmt::format("expected a whole number from {} to {}, got `{}`", low, high, value));
  return value;
}

LengthConfig preset_of(const LengthPreset& preset, const std::string& role) {
  return role == "output" ? preset.output : preset.prompt;
}

// The length that keys beginning with `role` give, or `fallback` without `<role>_shape`.
LengthConfig read_length(ConfigSection& section, const std::string& role,
                         const LengthConfig& fallback) {
  const auto shape = section.optional<std::string>(role + "_shape", "");
  if (shape.empty()) return fallback;
  if (const auto* preset = find(length_presets(), shape)) return preset_of(*preset, role);
  const bool is_lognormal = shape == "lognormal";
  if (!is_lognormal && shape != "uniform") {
    section.require(false, role + "_shape",
                    fmt::format("expected one of lognormal, uniform, {}, got `{}`",
                                names_of(length_presets()), shape));
    return fallback;
  }
  LengthConfig length;
  length.shape = is_lognormal ? LengthShape::kLognormal : LengthShape::kUniform;
  if (is_lognormal) {
    length.ln_mu = portable_log(decimal(section, role + "_median_tokens", 1, kMostTokens));
    length.sigma = decimal(section, role + "_sigma", 0, kMaxSigma);
  }
  length.min_tokens = whole(section, role + "_min_tokens", 1, kMostTokens);
  length.max_tokens = whole(section, role + "_max_tokens", 1, kMostTokens);
  section.require(length.min_tokens <= length.max_tokens, role + "_max_tokens",
                  fmt::format("must be at least {}_min_tokens", role));
  return length;
}

}  // namespace

WorkloadConfig read_workload(ConfigSection& section, std::uint64_t seed) {
  const auto kind = section.required<std::string>("kind");
  const auto* workload = find(workloads(), kind);
  section.require(workload != nullptr, "kind",
                  fmt::format("expected one of {}, got `{}`", names_of(workloads()), kind));
  WorkloadConfig config = (workload != nullptr ? *workload : workloads()[0]).config;
  config.requests = whole(section, "requests", 1, INT32_MAX);
  config.seed = seed;
  config.arrivals_per_step = decimal(section, "arrivals_per_step", kMinArrivalsPerStep,
                                     kMaxArrivalsPerStep, config.arrivals_per_step);
  config.prompt = read_length(section, "prompt", config.prompt);
  config.output = read_length(section, "output", config.output);
  if (config.prefix.share > 0) {
    config.prefix.share = decimal(section, "prefix_share", 0, 1, config.prefix.share);
    config.prefix.tokens = read_length(section, "prefix", config.prefix.tokens);
    config.prefix.own = read_length(section, "own", config.prefix.own);
  }
  if (config.speculation.branches > 0) {
    auto& speculation = config.speculation;
    constexpr int kMostBranches = 64;
    speculation.acceptance =
        decimal(section, "speculation_acceptance", 0, 1, speculation.acceptance);
    const auto count = [&](const char* key, int fallback) {
      const int value = section.optional<int>(key, fallback);
      section.require(
          value >= 1 && value <= kMostBranches, key,
          fmt::format("expected a whole number from 1 to {}, got `{}`", kMostBranches, value));
      return value;
    };
    speculation.branches = count("speculation_branches", speculation.branches);
    speculation.drafts = count("speculation_drafts", speculation.drafts);
  }
  return config;
}

}  // namespace lockstep
