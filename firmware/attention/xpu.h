// The processor beside the stack: a roofline for the parts of a decoder layer that are not
// attention. Peak rates and a launch latency, times an efficiency; nothing else is modelled.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

class ConfigSection;

struct Xpu {
  std::string name;
  double peak_tflops = 0;       // dense fp16 tensor operations, 10^12 a second
  double memory_gbps = 0;       // 10^9 B a second
  double flops_efficiency = 1;  // share of the peaks that kernels reach
  double memory_efficiency = 1;
  double launch_us = 0;  // of each kernel
};

// A decoder layer but for its KV heads, which the KV cache gives.
struct LayerShape {
  std::int64_t hidden = 0;
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t ffn = 0;            // intermediate size
  std::int64_t ffn_matrices = 3;   // gated: 3, plain: 2
  std::int64_t element_bytes = 2;  // of weights and activations
};

enum class XpuStage : std::uint8_t { kQkv, kProjection, kFfn };
constexpr std::array<std::string_view, 3> kXpuStages = {"qkv", "projection", "ffn"};

// Time of one stage for `batch` sequences, one token each, (23) of docs/model.md: bytes are the
// weights, once, and the activations in and out. 0 for an empty batch.
double stage_ns(const Xpu& xpu, const LayerShape& layer, XpuStage stage, std::int64_t batch);

// Reads the keys of a file of configs/xpu.
Xpu read_xpu(ConfigSection section);

}  // namespace lockstep
