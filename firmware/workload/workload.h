// Synthetic request streams. A named workload is a row of kWorkloads in workloads.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "firmware/workload/request.h"
#include "tlm/contract/span.h"

namespace lockstep {

enum class LengthShape { kLognormal, kUniform };

// A length in tokens: drawn, rounded to the nearest token, then moved into min..max.
struct LengthConfig {
  LengthShape shape = LengthShape::kUniform;
  double ln_mu = 0;  // lognormal: logarithm of the median
  double sigma = 0;  // lognormal: deviation of the logarithm
  std::int32_t min_tokens = 0;
  std::int32_t max_tokens = 0;
};

// A common beginning of many prompts, such as a system prompt. `tokens` is drawn once.
struct SharedPrefixConfig {
  double share = 0;  // of the requests that begin with it
  LengthConfig tokens;
  LengthConfig own;  // what such a request adds to it
};

struct WorkloadConfig {
  std::int64_t requests = 0;
  std::uint64_t seed = 0;
  double arrivals_per_step = 0;  // Poisson
  LengthConfig prompt;
  LengthConfig output;
  SharedPrefixConfig prefix;
};

struct Workload {
  std::string_view name;
  std::string_view what;
  WorkloadConfig config;  // as the placement study has it, for 1,000 requests of seed 0
};

// Lognormal fits of public traces, one for prompts and one for outputs.
struct LengthPreset {
  std::string_view name;
  LengthConfig prompt;
  LengthConfig output;
};

// The workload that makes sense with speculative decoding alone.
constexpr std::string_view kSpeculativeWorkload = "spec";

Span<Workload> workloads();
Span<LengthPreset> length_presets();

// The requests of `config`, by arrival, ids from 0. Equal configurations give equal requests on
// every machine.
std::vector<Request> generate_requests(const WorkloadConfig& config);

}  // namespace lockstep
