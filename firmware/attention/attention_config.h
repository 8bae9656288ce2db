// A decode run with attention on the stack: what is served, how K and V lie, how passes are made
// and what the processor beside the stack does meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "firmware/attention/kv_tensor_map.h"
#include "firmware/attention/query_split.h"
#include "firmware/attention/step_kernel.h"
#include "firmware/attention/xpu.h"
#include "firmware/kernels/score.h"
#include "firmware/kv/allocator.h"
#include "firmware/serving/serving_loop.h"

namespace lockstep {

// When new keys and values are written: not at all (their time is left out), before the passes, or
// beside those of the other sequences.
enum class WriteTiming : std::uint8_t { kNone, kBefore, kMixed };
constexpr std::array<std::string_view, 3> kWriteTimings = {"none", "before", "mixed"};

// kOne: one layer is simulated and its time taken for all. Exact without refresh
// (docs/attention.md).
enum class SimulatedLayers : std::uint8_t { kAll, kOne };
constexpr std::array<std::string_view, 2> kSimulatedLayers = {"all", "one"};

constexpr int kMaxGroup = 64;
constexpr int kMaxSubBatches = 2;

struct AttentionConfig {
  ServingConfig serving;
  KvTensorShape shape;
  int group = 4;  // query heads of a KV head
  QueryUnit unit;
  Pipeline pipeline = Pipeline::kPingPong;
  WriteTiming writes = WriteTiming::kBefore;
  int layers = 1;
  SimulatedLayers simulated = SimulatedLayers::kAll;
  int sub_batches = 1;
  // Only every so-many-th step is simulated; times, counts and tokens are those of these steps.
  // Above 1, prompts' writes are left out.
  std::int64_t simulate_every = 1;
  Xpu xpu;
  LayerShape layer;
  double headroom = 1.3;
  ScratchPlacement scratch = ScratchPlacement::kSeparate;
  std::uint64_t seed = 0;
};

// What the run must know of the stack to rate its results.
struct StackRates {
  Hertz clock;
  double peak_bytes_per_second = 0;  // all domains at one all-bank command every nCCDAB
  Cycles nCCDAB;
};

}  // namespace lockstep
