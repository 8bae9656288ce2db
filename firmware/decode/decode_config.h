// A decode run as the placement study defines it: what is served, how its KV is laid out and
// scored.
#pragma once

#include <cstdint>
#include <string>

#include "firmware/kernels/command_stream.h"
#include "firmware/kernels/kv_layout.h"
#include "firmware/kernels/score.h"
#include "firmware/kv/allocator.h"
#include "firmware/serving/serving_loop.h"

namespace lockstep {

// Which (step, sequence) pairs enter the averages of the score, and which steps are simulated.
struct ScoringConfig {
  std::int64_t every_steps = 1;
  std::int64_t simulate_every_steps =
      1;                           // kernels and copies run on the stack; other steps pass it by
  std::int64_t max_sequences = 0;  // of a scored step, drawn by `seed`; 0: all that run
  std::uint64_t seed = 0;
  FormulaTiming formula{};
};

struct DecodeConfig {
  ServingConfig serving;
  KvShape shape;
  int channel_groups = 1;  // the heads are split over so many groups of channels
  Reorder reorder;
  ScoringConfig scoring;
  double headroom = 1.3;
  ScratchPlacement scratch = ScratchPlacement::kSeparate;
  std::uint64_t seed = 0;
};

}  // namespace lockstep
