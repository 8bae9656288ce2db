// What placement is worth when the pool runs full and sequences are preempted: policies against
// headrooms on the stack of the placement study, the copies timed. Prints one line per run.
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "configs/config.h"
#include "firmware/decode/decode_run.h"
#include "firmware/kv/region_gather.h"
#include "hw/stack/direct_stack.h"
#include "tests/firmware/serving/study.h"

namespace lockstep {
namespace {

constexpr double kHeadrooms[] = {0.6, 0.8, 1.0, 1.3};

template <int per_run, int budget, int spare, int prompt, int unit = 0, int victim = 0, int tries = 64>
std::unique_ptr<KvAllocator> variant(const PoolConfig& config) {
  return std::make_unique<RegionGather>(
      config, GatherLimits{per_run, budget, spare, static_cast<GatherLimits::Prompt>(prompt), tries,
                           static_cast<GatherLimits::Unit>(unit),
                           static_cast<GatherLimits::Victim>(victim)});
}
constexpr KvPolicy kVariants[] = {
    {"gather-0", "", PoolRounding::kRegion, variant<0, 0, 0, 0>},
    {"gather-4", "", PoolRounding::kRegion, variant<4, 32, 0, 0>},
    {"gather-8", "", PoolRounding::kRegion, variant<8, 32, 0, 0>},
    {"gather-1", "", PoolRounding::kRegion, variant<1, 32, 0, 0>},
    {"gather-2", "", PoolRounding::kRegion, variant<2, 32, 0, 0>},
    {"gather-3", "", PoolRounding::kRegion, variant<3, 32, 0, 0>},
    {"gather-6", "", PoolRounding::kRegion, variant<6, 32, 0, 0>},
    {"gather-8-b8", "", PoolRounding::kRegion, variant<8, 8, 0, 0>},
    {"gather-16", "", PoolRounding::kRegion, variant<16, 64, 0, 0>},
    {"tight-0", "", PoolRounding::kRegion, variant<0, 0, 0, 1>},
    {"tight-8", "", PoolRounding::kRegion, variant<8, 32, 0, 1>},
    {"tight-4", "", PoolRounding::kRegion, variant<4, 32, 0, 1>},
    {"tight-5", "", PoolRounding::kRegion, variant<5, 32, 0, 1>},
    {"tight-6", "", PoolRounding::kRegion, variant<6, 32, 0, 1>},
    {"tight-6-b8", "", PoolRounding::kRegion, variant<6, 8, 0, 1>},
    {"tight-6-b16", "", PoolRounding::kRegion, variant<6, 16, 0, 1>},
    {"tight-6-b64", "", PoolRounding::kRegion, variant<6, 64, 0, 1>},
    {"g6-t16", "", PoolRounding::kRegion, variant<6, 32, 0, 0, 0, 0, 16>},
    {"g6-t8", "", PoolRounding::kRegion, variant<6, 32, 0, 0, 0, 0, 8>},
    {"g6-1", "", PoolRounding::kRegion, variant<6, 32, 0, 0, 0, 0, 65>},
    {"g6-2", "", PoolRounding::kRegion, variant<6, 32, 0, 0, 0, 0, 66>},
    {"g6-3", "", PoolRounding::kRegion, variant<6, 32, 0, 0, 0, 0, 67>},
    {"g6-4", "", PoolRounding::kRegion, variant<6, 32, 0, 0, 0, 0, 68>},
    {"g6-7", "", PoolRounding::kRegion, variant<6, 32, 0, 0, 0, 0, 71>},
    {"seq-4", "", PoolRounding::kRegion, variant<4, 512, 0, 0, 1>},
    {"seq-8", "", PoolRounding::kRegion, variant<8, 512, 0, 0, 1>},
    {"seq-16", "", PoolRounding::kRegion, variant<16, 512, 0, 0, 1>},
    {"seq-8-spare", "", PoolRounding::kRegion, variant<8, 512, 4, 0, 1>},
    {"victim-most", "", PoolRounding::kRegion, variant<0, 0, 0, 0, 0, 1>},
    {"victim-shares", "", PoolRounding::kRegion, variant<0, 0, 0, 0, 0, 2>},
    {"victim-most-8", "", PoolRounding::kRegion, variant<8, 32, 0, 1, 0, 1>},
    {"victim-shares-8", "", PoolRounding::kRegion, variant<8, 32, 0, 1, 0, 2>},
    {"spare1-0", "", PoolRounding::kRegion, variant<0, 0, 1, 0>},
    {"spare4-0", "", PoolRounding::kRegion, variant<0, 0, 4, 0>},
    {"spare-0", "", PoolRounding::kRegion, variant<0, 0, 2, 0>},
    {"spare-8", "", PoolRounding::kRegion, variant<8, 32, 2, 0>},
    {"whole-0", "", PoolRounding::kRegion, variant<0, 0, 0, 2>},
    {"whole-8", "", PoolRounding::kRegion, variant<8, 32, 0, 2>},
};

const KvPolicy& find(std::string_view name) {
  for (const auto& v : kVariants)
    if (v.name == name) return v;
  return kv_policy(name);
}

class FastCopies final : public StackPort {
 public:
  explicit FastCopies(StackPort& port) : port_(port) {}
  Cycles now() const override { return port_.now(); }
  void wait(Cycles c) override { port_.wait(c); }
  int domains() const override { return port_.domains(); }
  void execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) override {
    if (kernels.size() > 0 || std::getenv("EXACT")) return port_.execute(kernels, accesses);
    double bytes = 0;
    for (const auto& a : accesses) bytes += static_cast<double>(a.bytes);
    port_.wait(Cycles{static_cast<std::int64_t>(bytes * 0.00276)});
  }

 private:
  StackPort& port_;
};

void run(const StackConfig& stack_config, const KvPolicy& policy, double headroom) {
  const auto requests = study::requests("requests_steady500_seed0.csv");
  DecodeConfig config;
  config.serving.admission = Admission::kVllm;
  config.shape = {study::kBlockTokens, 4096};
  config.headroom = headroom;
  if (std::getenv("WM")) config.serving.watermark = std::stod(std::getenv("WM"));
  config.reorder = {ReorderMode::kWindow, 64};
  config.scoring.formula = kStudyTiming;
  const KvLayout layout(stack_config.map, stack_config.geometry, config.shape);
  DirectStack stack(stack_config);
  DecodeRun decode(config, layout, stack_config.channels_per_domain(), policy, requests,
                   stack_config.clock);
  FastCopies fast(stack);
  const auto result = decode.run(fast);
  std::int64_t running = 0;
  for (const auto& step : result.steps) running += step.running;
  const double seconds_all = seconds(result.pim_time + result.copy_time, stack_config.clock);
  fmt::print(
      "{:<28} {:.1f}  {:.3f} {:7.1f} {:8.1f}  {:8.3f} {:7.3f}  {:6} {:5.1f} {:5} {:8} {:8.1f}  "
      "{:.2f} {}\n",
      policy.name, headroom, *result.m1.mean(), *result.m3_gbps.mean(),
      static_cast<double>(result.kv_bytes) / seconds_all / 1e9, seconds_all * 1e3,
      seconds(result.copy_time, stack_config.clock) * 1e3, result.serving.steps,
      static_cast<double>(running) / static_cast<double>(result.serving.steps),
      result.serving.preemptions, result.serving.recomputed_tokens,
      static_cast<double>(result.copied_bytes) / 1e6, *result.region_spread.mean(),
      result.serving.completed);
  std::fflush(stdout);
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  using namespace lockstep;
  auto document = ConfigDocument::from_file(LOCKSTEP_SOURCE_DIR "/configs/hbm3-pim-study.yaml");
  auto root = document.root();
  const auto stack = read_stack(root);
  fmt::print(
      "policy headroom m1 m3_gbps cycle_gbps total_ms copy_ms steps batch preemptions "
      "recomputed_tokens copied_MB spread completed\n");
  for (const double headroom : kHeadrooms) {
    if (headroom > 0 && std::getenv("H") && std::stod(std::getenv("H")) != headroom) continue;
    for (int i = 1; i < argc; ++i) run(stack, find(argv[i]), headroom);
  }
}
