// The arithmetic of the softmax unit of the buffer die, for one query.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/contract/span.h"

namespace lockstep {

struct Softmax {
  float m = 0;                               // the largest score; NaN if one is
  float l = 0;                               // fp32 sum of the probabilities, in order
  std::vector<std::uint16_t> probabilities;  // fp16 of exp(score - m), not divided by l
};

// exp is computed in double and rounded once. A NaN, or +infinity, makes everything NaN or leaves
// NaN where infinity stood, as the formula does. `scores` is not empty.
Softmax softmax(Span<float> scores);

}  // namespace lockstep
