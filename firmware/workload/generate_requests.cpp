#include <algorithm>
#include <cmath>

#include "firmware/workload/random_streams.h"
#include "firmware/workload/to_steps.h"
#include "firmware/workload/workload.h"

namespace lockstep {
namespace {

std::int32_t draw(const LengthConfig& length, Random& random) {
  if (length.shape == LengthShape::kUniform) {
    return static_cast<std::int32_t>(random.uniform(length.min_tokens, length.max_tokens));
  }
  const double nearest = std::floor(random.lognormal(length.ln_mu, length.sigma) + 0.5);
  return static_cast<std::int32_t>(
      std::clamp<double>(nearest, length.min_tokens, length.max_tokens));
}

}  // namespace

std::vector<Request> generate_requests(const WorkloadConfig& config) {
  Random prompts = random_of(config.seed, RandomStream::kPromptTokens);
  Random outputs = random_of(config.seed, RandomStream::kOutputTokens);
  Random prefixes = random_of(config.seed, RandomStream::kPrefixTokens);
  Random choices = random_of(config.seed, RandomStream::kPrefixChoice);
  const auto arrivals =
      poisson_arrival_steps(config.requests, config.arrivals_per_step, config.seed);
  const bool has_prefix = config.prefix.share > 0;
  const std::int32_t prefix_tokens = has_prefix ? draw(config.prefix.tokens, prefixes) : 0;

  std::vector<Request> requests(arrivals.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Request& request = requests[i];
    request.id = static_cast<std::int32_t>(i);
    request.arrival_step = arrivals[i];
    request.output_tokens = draw(config.output, outputs);
    if (has_prefix && choices.unit() < config.prefix.share) {
      request.prefix_id = 0;
      request.prefix_tokens = prefix_tokens;
      request.prompt_tokens = prefix_tokens + draw(config.prefix.own, prompts);
    } else {
      request.prompt_tokens = draw(config.prompt, prompts);
    }
  }
  return requests;
}

}  // namespace lockstep
