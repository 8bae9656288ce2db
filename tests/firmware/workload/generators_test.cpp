// Generated streams, and the study's own, against the distributions they are drawn from.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "firmware/workload/to_steps.h"
#include "firmware/workload/workload.h"
#include "tests/firmware/workload/trace_text.h"

namespace lockstep {
namespace {

struct Moments {
  double mean = 0;
  double variance = 0;
};

double normal_below(double z) {
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

// k-th moment of a lognormal moved into [low, high]: both ends hold what lies beyond them.
double clipped_lognormal_moment(const LengthConfig& length, int k) {
  const double low = length.min_tokens;
  const double high = length.max_tokens;
  const double a = (std::log(low) - length.ln_mu) / length.sigma;
  const double b = (std::log(high) - length.ln_mu) / length.sigma;
  const double shift = k * length.sigma;
  const double inside = normal_below(b - shift) - normal_below(a - shift);
  return std::pow(low, k) * normal_below(a) + std::pow(high, k) * normal_below(-b) +
         std::exp(k * length.ln_mu + shift * shift / 2) * inside;
}

Moments moments_of(const LengthConfig& length) {
  if (length.shape == LengthShape::kUniform) {
    const double count = length.max_tokens - length.min_tokens + 1.0;
    return {(length.max_tokens + length.min_tokens) / 2.0, (count * count - 1) / 12};
  }
  const double mean = clipped_lognormal_moment(length, 1);
  return {mean, clipped_lognormal_moment(length, 2) - mean * mean};
}

double median_of(const LengthConfig& length) {
  return length.shape == LengthShape::kUniform ? moments_of(length).mean : std::exp(length.ln_mu);
}

// Standard error of a sample median: 1 / (2 f sqrt n), f the density at the median.
double median_error(const LengthConfig& length, double count) {
  const double density =
      length.shape == LengthShape::kUniform
          ? 1.0 / (length.max_tokens - length.min_tokens + 1)
          : 1 / (median_of(length) * length.sigma * std::sqrt(2 * 3.14159265358979324));
  return 1 / (2 * density * std::sqrt(count));
}

// Five standard errors, and one token for rounding.
void expect_drawn_from(const LengthConfig& length, std::vector<std::int32_t> tokens,
                       const std::string& what) {
  const auto count = static_cast<double>(tokens.size());
  ASSERT_GT(count, 0) << what;
  std::sort(tokens.begin(), tokens.end());
  EXPECT_GE(tokens.front(), length.min_tokens) << what;
  EXPECT_LE(tokens.back(), length.max_tokens) << what;
  double sum = 0;
  for (const auto n : tokens) sum += n;
  const auto expected = moments_of(length);
  EXPECT_NEAR(sum / count, expected.mean, 5 * std::sqrt(expected.variance / count) + 1) << what;
  EXPECT_NEAR(tokens[tokens.size() / 2], median_of(length), 5 * median_error(length, count) + 1)
      << what;
}

void expect_stream_of(const WorkloadConfig& config, const std::vector<Request>& requests) {
  std::vector<std::int32_t> prompts;
  std::vector<std::int32_t> outputs;
  std::vector<std::int32_t> own;
  for (const auto& request : requests) {
    outputs.push_back(request.output_tokens);
    auto& group = request.prefix_id == 0 ? own : prompts;
    group.push_back(request.prompt_tokens - request.prefix_tokens);
  }
  expect_drawn_from(config.prompt, prompts, "prompts");
  expect_drawn_from(config.output, outputs, "outputs");
  const auto count = static_cast<double>(requests.size());
  const double rate = config.arrivals_per_step;
  EXPECT_NEAR(static_cast<double>(requests.back().arrival_step), count / rate,
              5 * std::sqrt(count) / rate + 1);
  const double share = config.prefix.share;
  EXPECT_NEAR(static_cast<double>(own.size()), count * share,
              5 * std::sqrt(count * share * (1 - share)));
  if (share > 0) expect_drawn_from(config.prefix.own, own, "own parts");
}

TEST(Workloads, FollowTheirDistributions) {
  for (const auto& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    WorkloadConfig config = workload.config;
    config.requests = 20'000;
    expect_stream_of(config, generate_requests(config));
  }
}

TEST(Workloads, DescribeTheStreamsOfTheStudy) {
  for (const auto& workload : workloads()) {
    if (workload.name == "spec") continue;  // the study published no stream of it
    SCOPED_TRACE(workload.name);
    const auto trace = read_requests(LOCKSTEP_SOURCE_DIR "/tests/data/requests/requests_" +
                                         std::string(workload.name) + "_seed0.csv",
                                     {});
    EXPECT_EQ(trace.requests.size(), 1000U);
    EXPECT_EQ(trace.report.total_lines, 1001);
    expect_stream_of(workload.config, to_steps(trace, GivenSteps{}).requests);
  }
}

TEST(LengthPresets, FollowTheirFits) {
  for (const auto& preset : length_presets()) {
    SCOPED_TRACE(preset.name);
    WorkloadConfig config = workloads()[0].config;
    config.requests = 20'000;
    config.prompt = preset.prompt;
    config.output = preset.output;
    expect_stream_of(config, generate_requests(config));
  }
}

TEST(Workloads, AreOrderedAndNumbered) {
  for (const auto& workload : workloads()) {
    const auto requests = generate_requests(workload.config);
    ASSERT_EQ(requests.size(), 1000U);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(requests[i].id, static_cast<std::int32_t>(i));
      EXPECT_GE(requests[i].arrival_step, requests[i > 0 ? i - 1 : 0].arrival_step);
    }
  }
}

TEST(Workloads, ShareOnePrefixOfOneLength) {
  const auto requests = generate_requests(workloads()[2].config);
  std::int32_t length = 0;
  for (const auto& request : requests) {
    if (request.prefix_id < 0) {
      EXPECT_EQ(request.prefix_tokens, 0);
      continue;
    }
    if (length == 0) length = request.prefix_tokens;
    EXPECT_EQ(request.prefix_tokens, length);
    EXPECT_GT(request.prompt_tokens, length);
  }
  EXPECT_GE(length, 500);
  EXPECT_LE(length, 1500);
}

TEST(Workloads, ChangeOnlyWhatTheirConfigurationChanges) {
  WorkloadConfig config = workloads()[0].config;
  const auto before = generate_requests(config);
  config.output = {LengthShape::kUniform, 0, 0, 1, 9};
  const auto after = generate_requests(config);
  config.seed = 1;
  const auto other = generate_requests(config);
  int equal_prompts = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].arrival_step, before[i].arrival_step);
    EXPECT_EQ(after[i].prompt_tokens, before[i].prompt_tokens);
    equal_prompts += other[i].prompt_tokens == before[i].prompt_tokens ? 1 : 0;
  }
  EXPECT_LT(equal_prompts, 50);
}

// Sums from an independent program in Python, whose math.log and math.exp are the C library's.
TEST(Workloads, AreTheSameOnEveryMachine) {
  struct Sums {
    std::string_view name;
    std::int64_t last_step;
    std::int64_t prompt_tokens;
    std::int64_t output_tokens;
  };
  constexpr Sums kSums[] = {
      {"steady", 4135, 325161, 277582},
      {"longctx", 5075, 20440990, 144125},
      {"prefix", 4135, 1118994, 277582},
  };
  for (const auto& [name, last_step, prompt_tokens, output_tokens] : kSums) {
    const auto rows = workloads();
    const auto* workload =
        std::find_if(rows.begin(), rows.end(), [n = name](const auto& w) { return w.name == n; });
    std::int64_t prompts = 0;
    std::int64_t outputs = 0;
    const auto requests = generate_requests(workload->config);
    for (const auto& request : requests) {
      prompts += request.prompt_tokens;
      outputs += request.output_tokens;
    }
    EXPECT_EQ(requests.back().arrival_step, last_step) << name;
    EXPECT_EQ(prompts, prompt_tokens) << name;
    EXPECT_EQ(outputs, output_tokens) << name;
  }
}

}  // namespace
}  // namespace lockstep
