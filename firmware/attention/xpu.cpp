#include "firmware/attention/xpu.h"

#include <algorithm>

#include "configs/config.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct Work {
  std::int64_t in;   // width of the activations that go in
  std::int64_t out;  // and come out
  std::int64_t weights;
};

Work work_of(const LayerShape& layer, XpuStage stage) {
  const std::int64_t queries = layer.query_heads * layer.head_dim;
  switch (stage) {
    case XpuStage::kQkv: {
      const std::int64_t out = queries + 2 * layer.kv_heads * layer.head_dim;
      return {layer.hidden, out, layer.hidden * out};
    }
    case XpuStage::kProjection:
      return {queries, layer.hidden, queries * layer.hidden};
    case XpuStage::kFfn:
      return {layer.hidden, layer.hidden, layer.ffn_matrices * layer.hidden * layer.ffn};
  }
  throw InternalError("a stage of the processor without a meaning");
}

}  // namespace

double stage_ns(const Xpu& xpu, const LayerShape& layer, XpuStage stage, std::int64_t batch) {
  if (batch == 0) return 0;
  const Work work = work_of(layer, stage);
  const double operations = 2.0 * static_cast<double>(batch) * static_cast<double>(work.weights);
  const double bytes = static_cast<double>(layer.element_bytes) *
                       static_cast<double>(work.weights + batch * (work.in + work.out));
  // 10^12 a second are 1,000 a nanosecond; 10^9 a second, 1.
  const double compute = operations / (xpu.peak_tflops * xpu.flops_efficiency * 1e3);
  const double memory = bytes / (xpu.memory_gbps * xpu.memory_efficiency);
  return std::max(compute, memory) + xpu.launch_us * 1e3;
}

Xpu read_xpu(ConfigSection section) {
  Xpu xpu;
  xpu.name = section.required<std::string>("name");
  xpu.peak_tflops = section.required_in("peak_tflops", 0.001, 1e6);
  xpu.memory_gbps = section.required_in("memory_gbps", 0.001, 1e6);
  xpu.flops_efficiency = section.required_in("flops_efficiency", 0.01, 1.0);
  xpu.memory_efficiency = section.required_in("memory_efficiency", 0.01, 1.0);
  xpu.launch_us = section.required_in("launch_us", 0.0, 1e6);
  return xpu;
}

}  // namespace lockstep
