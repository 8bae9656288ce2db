// The section `cosim` of a configuration: the attention pass that the banks work on.
#pragma once

#include <cstdint>

#include "configs/config.h"
#include "firmware/attention/kv_tensor_map.h"
#include "firmware/attention/step_kernel.h"
#include "hw/stack/stack_config.h"
#include "sim/run/run_config.h"

namespace lockstep {

struct CosimPass {
  std::int64_t tokens = 0;
  KvTensorShape shape;
  int group = 1;  // queries of a KV head
  int queries_per_column = 1;
  Pipeline pipeline = Pipeline::kNone;
  std::uint64_t seed = 0;  // of the data
};

struct CosimConfig {
  StackConfig stack;
  CosimPass pass;
};

constexpr std::int64_t kMostCosimTokens = 1'000'000;

// Mistakes go to the document, with those of what `stack` must be for a co-simulation.
CosimPass read_cosim(ConfigSection& root, const StackConfig& stack);

// Throws ConfigError with all mistakes.
CosimConfig load_cosim_config(const ConfigSource& source);

}  // namespace lockstep
