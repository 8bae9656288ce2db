// The running state of online softmax over a part of the tokens, in fp32, and its exact merge
// (docs/dsa.md, Eq. 6-8).
#pragma once

#include <limits>
#include <vector>

namespace lockstep {

struct Partial {
  float m = -std::numeric_limits<float>::infinity();  // largest score seen
  float l = 0;                                        // sum of e^(score - m)
  std::vector<float> acc;                             // sum of e^(score - m) x value; head_dim

  bool empty() const { return m == -std::numeric_limits<float>::infinity(); }
};

Partial empty_partial(std::size_t head_dim);

// Adds tokens: `scores[i]` belongs to `values[i]`, which points at head_dim numbers. Two passes:
// the maximum first, so that no addition is rescaled.
Partial attend(const std::vector<float>& scores, const std::vector<const float*>& values,
               std::size_t head_dim);

// Associative and commutative up to fp32 rounding; an empty partial changes nothing.
Partial merge(const Partial& a, const Partial& b);

// acc / l. The partial must hold at least one token.
std::vector<float> output_of(const Partial& partial);

}  // namespace lockstep
