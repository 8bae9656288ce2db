// What a decode run found. Counts are exact; averages come with their population.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/decode/summary_stats.h"
#include "firmware/kv/allocator.h"
#include "firmware/serving/serving_loop.h"
#include "tlm/contract/units.h"

namespace lockstep {

// One engine iteration that was simulated.
struct StepRecord {
  std::int64_t step = 0;
  std::int32_t running = 0;
  std::int64_t tokens = 0;             // in the cache of the running sequences
  std::int64_t kv_bytes = 0;           // read by attention
  std::int64_t all_bank_commands = 0;  // of all lockstep domains
  std::int64_t row_visits = 0;         // of all domains: rows the kernels ask for, in order
  std::int64_t copied_bytes = 0;       // moved inside the pool before the passes
  Cycles copy_time;                    // of latency
  Cycles latency;                      // from the first request to the last result
};

struct DecodeResult {
  ServingCounters serving;
  BlockCounts blocks;
  std::int32_t pool_blocks = 0;
  std::int32_t blocks_per_region = 0;
  std::vector<StepRecord> steps;

  // Over the scored (step, sequence) pairs.
  Population m1, m2, m3_gbps;
  Population region_spread;
  Population adjacency;  // of tables with two blocks or more
  // Over the simulated steps.
  Population step_latency_ns;
  std::int64_t kv_bytes = 0;
  std::int64_t all_bank_commands = 0;
  std::int64_t copied_bytes = 0;
  Cycles copy_time;
  Cycles pim_time;  // sum of the step latencies, copies included
  Cycles end;       // of the simulated run
};

}  // namespace lockstep
