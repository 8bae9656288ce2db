// What an attention run found. Clocks are the stack's; averages come with their population.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "firmware/attention/stage_times.h"
#include "firmware/attention/step_timeline.h"
#include "firmware/attention/xpu.h"
#include "firmware/decode/summary_stats.h"
#include "firmware/kv/allocator.h"
#include "firmware/serving/counters.h"

namespace lockstep {

// Counts of the passes of all domains and all layers.
struct PassCounts {
  std::int64_t kv_bytes = 0;           // K and V of the attended tokens
  std::int64_t read_bytes = 0;         // of banks that take part, each access
  std::int64_t all_bank_commands = 0;  // MACab
  std::int64_t row_visits = 0;         // rows opened for them, in order
  std::int64_t bank_slots = 0;         // all-bank commands x banks of their scope
  std::int64_t useful_slots = 0;       // of them, banks that hold a token there

  PassCounts& operator+=(const PassCounts& other);
};

struct AttentionStep {
  std::int64_t step = 0;
  std::int32_t running = 0;
  std::int64_t tokens = 0;  // attended
  PassCounts counts;
  Cycles prefill_write;  // prompts of the newly admitted, not part of the step
  Cycles kv_write;       // all layers, before the passes
  Cycles attention;      // all layers: from the kernels' request to the last result
  PimStageTimes stages;  // of the simulated layers
  std::array<double, kXpuStages.size()> xpu_ns{};  // all layers and sub-batches
  StepTimes time;
};

struct AttentionResult {
  ServingCounters serving;
  BlockCounts blocks;
  std::int32_t pool_blocks = 0;
  std::int32_t blocks_per_region = 0;
  int simulated_layers = 1;
  std::vector<AttentionStep> steps;

  PassCounts counts;
  Cycles prefill_write;
  Cycles kv_write;
  Cycles attention;
  PimStageTimes stages;
  std::array<double, kXpuStages.size()> xpu_ns{};
  StepTimes time;           // sums of the steps
  Population step_ns;       // whole steps
  Population attention_ns;  // their attention
  double simulated_row_hit_ratio = 0;
  Cycles end;
};

}  // namespace lockstep
