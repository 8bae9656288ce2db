// What placement is worth when the pool runs full (docs/preemption.md): policies, and variants of
// gathering, against headrooms. One line per run. Not a test: it takes minutes.
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "firmware/kv/region_gather.h"
#include "tests/firmware/preemption_study.h"

namespace lockstep {
namespace {

template <std::int32_t per_visit, std::int32_t per_step, std::int32_t sequences>
std::unique_ptr<KvAllocator> gather(const PoolConfig& config) {
  return std::make_unique<RegionGather>(config, GatherLimits{per_visit, per_step, sequences});
}

constexpr PoolRounding kRegion = PoolRounding::kRegion;
constexpr KvPolicy kVariants[] = {
    {"gather-1", "at most 1 block copied to save a row visit", kRegion, gather<1, 32, 16>},
    {"gather-2", "at most 2", kRegion, gather<2, 32, 16>},
    {"gather-4", "at most 4", kRegion, gather<4, 32, 16>},
    {"gather-8", "at most 8", kRegion, gather<8, 32, 16>},
    {"gather-16", "at most 16", kRegion, gather<16, 32, 16>},
    {"gather-step-8", "at most 8 blocks copied in a step", kRegion, gather<6, 8, 16>},
    {"gather-top-4", "the 4 most scattered sequences of a step", kRegion, gather<6, 32, 4>},
};

const KvPolicy& policy_of(const std::string& name) {
  for (const auto& variant : kVariants) {
    if (variant.name == name) return variant;
  }
  return kv_policy(name);
}

void print_run(const StackConfig& stack, const KvPolicy& policy, double headroom,
               double watermark) {
  const auto requests = study::requests("requests_steady500_seed0.csv");
  const auto result = study::run_preempted(stack, policy, headroom, requests, watermark);
  const auto& decode = result.decode;
  const auto& serving = decode.serving;
  std::int64_t running = 0;
  for (const auto& step : decode.steps) running += step.running;
  fmt::print(
      "{:<14} {:8.2f} {:.3f} {:7.1f} {:10.1f} {:8.2f} {:7.2f} {:5} {:5.1f} {:11} {:10} {:9.1f}\n",
      policy.name, headroom, *decode.m1.mean(), *decode.m3_gbps.mean(), result.gbps,
      result.milliseconds, seconds(decode.copy_time, stack.clock) * 1e3, serving.steps,
      static_cast<double>(running) / static_cast<double>(serving.steps), serving.preemptions,
      serving.recomputed_tokens, static_cast<double>(decode.copied_bytes) / 1e6);
  std::fflush(stdout);
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  CLI::App app("Policies against headrooms under vLLM admission, copies in cycles");
  std::vector<double> headrooms = {0.6, 0.8, 1.0, 1.3};
  std::vector<std::string> policies = {"paged-lifo", "region", "region-gather", "blockpim"};
  double watermark = 0.01;
  app.add_option("--headroom", headrooms, "one or more");
  app.add_option("--policy", policies, "registered policies and variants of this program");
  app.add_option("--watermark", watermark, "share of the pool kept free at admission");
  CLI11_PARSE(app, argc, argv);
  const auto stack = lockstep::study::stack();
  fmt::print(
      "policy         headroom    m1 m3_gbps cycle_gbps total_ms copy_ms steps batch "
      "preemptions recomputed copied_MB\n");
  for (const double headroom : headrooms) {
    for (const auto& policy : policies) {
      lockstep::print_run(stack, lockstep::policy_of(policy), headroom, watermark);
    }
  }
}
