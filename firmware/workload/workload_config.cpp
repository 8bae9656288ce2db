#include "firmware/workload/workload_config.h"

#include <string>
#include <string_view>
#include <vector>

#include "configs/registry.h"
#include "firmware/workload/portable_math.h"
#include "firmware/workload/to_steps.h"

namespace lockstep {
namespace {

constexpr int kMostTokens = 1 << 29;  // a prefix and what follows it fit in 32 bits
constexpr double kMaxSigma = 5;

constexpr std::string_view kShapes[] = {"lognormal", "uniform"};  // in the order of LengthShape
static_assert(static_cast<int>(LengthShape::kUniform) + 1 == std::size(kShapes));

LengthConfig read_shape(ConfigSection& section, LengthShape shape) {
  LengthConfig length;
  length.shape = shape;
  if (shape == LengthShape::kLognormal) {
    length.ln_mu = portable_log(section.required_in<double>("median_tokens", 1, kMostTokens));
    length.sigma = section.required_in<double>("sigma", 0, kMaxSigma);
  }
  length.min_tokens = section.required_in<int>("min_tokens", 1, kMostTokens);
  length.max_tokens = section.required_in<int>("max_tokens", 1, kMostTokens);
  section.require(length.min_tokens <= length.max_tokens, "max_tokens",
                  "must be at least `min_tokens`");
  return length;
}

// The map `key`, or `fallback` where it is not written. `in_preset` is the preset's part for it.
LengthConfig read_length(ConfigSection& parent, const std::string& key,
                         LengthConfig LengthPreset::*in_preset, const LengthConfig& fallback) {
  if (!parent.has(key)) return fallback;
  ConfigSection section = parent.section(key);
  std::vector<std::string_view> names(std::begin(kShapes), std::end(kShapes));
  for (const auto& preset : length_presets()) names.push_back(preset.name);
  const std::size_t chosen = section.choice("shape", names);
  if (chosen >= std::size(kShapes)) return length_presets()[chosen - std::size(kShapes)].*in_preset;
  return read_shape(section, static_cast<LengthShape>(chosen));
}

void read_prefix(ConfigSection& section, SharedPrefixConfig& prefix) {
  prefix.share = section.optional_in<double>("prefix_share", prefix.share, 0, 1);
  prefix.tokens = read_length(section, "prefix", &LengthPreset::prompt, prefix.tokens);
  prefix.own = read_length(section, "own", &LengthPreset::prompt, prefix.own);
}

}  // namespace

WorkloadConfig read_workload(ConfigSection section, std::uint64_t seed) {
  const auto& workload = workloads()[section.choice("kind", names_of(workloads()))];
  WorkloadConfig config = workload.config;
  config.requests = section.required_in<int>("requests", 1, INT32_MAX);
  config.seed = seed;
  config.arrivals_per_step = section.optional_in<double>(
      "arrivals_per_step", config.arrivals_per_step, kMinArrivalsPerStep, kMaxArrivalsPerStep);
  config.prompt = read_length(section, "prompt", &LengthPreset::prompt, config.prompt);
  config.output = read_length(section, "output", &LengthPreset::output, config.output);
  if (config.prefix.share > 0) read_prefix(section, config.prefix);
  return config;
}

}  // namespace lockstep
