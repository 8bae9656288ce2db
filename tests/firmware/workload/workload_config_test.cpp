// Workloads from YAML.
#include "firmware/workload/workload_config.h"

#include <cmath>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

constexpr std::uint64_t kSeed = 3;

WorkloadConfig read(const std::string& yaml) {
  auto document = ConfigDocument::from_text(yaml, "w.yaml");
  const auto config = read_workload(document.root(), kSeed);
  document.throw_if_invalid();
  return config;
}

std::string mistakes_of(const std::string& yaml) {
  auto document = ConfigDocument::from_text(yaml, "w.yaml");
  read_workload(document.root(), kSeed);
  return document.mistakes();
}

TEST(WorkloadConfig, TakesANamedWorkloadAsItIs) {
  for (const auto& workload : workloads()) {
    const auto config = read("kind: " + std::string(workload.name) + "\nrequests: 7\n");
    EXPECT_EQ(config.requests, 7);
    EXPECT_EQ(config.seed, kSeed);
    EXPECT_EQ(config.arrivals_per_step, workload.config.arrivals_per_step);
    EXPECT_EQ(config.prompt.ln_mu, workload.config.prompt.ln_mu);
    EXPECT_EQ(config.output.max_tokens, workload.config.output.max_tokens);
  }
}

TEST(WorkloadConfig, OverridesALengthAsAWhole) {
  const auto config = read(
      "kind: prefix\nrequests: 7\narrivals_per_step: 1.5\nprefix_share: 0.25\n"
      "prompt: {shape: lognormal, median_tokens: 300, sigma: 0.5, min_tokens: 2, max_tokens: 99}\n"
      "output: {shape: azure-code}\n"
      "own: {shape: uniform, min_tokens: 1, max_tokens: 4}\n");
  EXPECT_EQ(config.arrivals_per_step, 1.5);
  EXPECT_EQ(config.prefix.share, 0.25);
  EXPECT_NEAR(config.prompt.ln_mu, std::log(300), 1e-14);
  EXPECT_EQ(config.prompt.sigma, 0.5);
  EXPECT_EQ(config.output.ln_mu, 2.79);
  EXPECT_EQ(config.output.max_tokens, 1899);
  EXPECT_EQ(config.prefix.own.max_tokens, 4);
}

TEST(WorkloadConfig, ReportsEveryMistake) {
  EXPECT_EQ(mistakes_of("kind: steady\nrequests: 0\nprefix_share: 0.5\n"
                        "prompt: {shape: uniform, sigma: 1.0, min_tokens: 9, max_tokens: 8}\n"),
            "w.yaml:2:11: `requests`: expected a whole number of at least 1, got `0`\n"
            "w.yaml:3:1: unknown key `prefix_share`\n"
            "w.yaml:4:26: unknown key `prompt.sigma`\n"
            "w.yaml:4:65: `prompt.max_tokens`: must be at least `min_tokens`\n");
}

}  // namespace
}  // namespace lockstep
