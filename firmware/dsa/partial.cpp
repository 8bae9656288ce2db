#include "firmware/dsa/partial.h"

#include <algorithm>
#include <cmath>

#include "tlm/contract/errors.h"

namespace lockstep {

Partial empty_partial(std::size_t head_dim) {
  Partial partial;
  partial.acc.assign(head_dim, 0.0F);
  return partial;
}

Partial attend(const std::vector<float>& scores, const std::vector<const float*>& values,
               std::size_t head_dim) {
  ensure(scores.size() == values.size(), "attention got a score without a value");
  Partial partial = empty_partial(head_dim);
  for (const float score : scores) partial.m = std::max(partial.m, score);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float weight = std::exp(scores[i] - partial.m);
    partial.l += weight;
    for (std::size_t d = 0; d < head_dim; ++d) partial.acc[d] += weight * values[i][d];
  }
  return partial;
}

Partial merge(const Partial& a, const Partial& b) {
  ensure(a.acc.size() == b.acc.size(), "partials of different head dimensions were merged");
  if (a.empty()) return b;
  if (b.empty()) return a;
  Partial merged = empty_partial(a.acc.size());
  merged.m = std::max(a.m, b.m);
  const float weight_a = std::exp(a.m - merged.m);
  const float weight_b = std::exp(b.m - merged.m);
  merged.l = weight_a * a.l + weight_b * b.l;
  for (std::size_t d = 0; d < merged.acc.size(); ++d) {
    merged.acc[d] = weight_a * a.acc[d] + weight_b * b.acc[d];
  }
  return merged;
}

std::vector<float> output_of(const Partial& partial) {
  ensure(!partial.empty(), "attention over no token has no output");
  std::vector<float> output = partial.acc;
  for (float& value : output) value /= partial.l;
  return output;
}

}  // namespace lockstep
