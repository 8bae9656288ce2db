#include "hw/die/softmax.h"

#include <cmath>

#include "tlm/contract/fp16.h"

namespace lockstep {

Softmax softmax(Span<float> scores) {
  Softmax result;
  result.m = scores[0];
  for (const float score : scores) {
    if (std::isnan(score) || score > result.m) result.m = score;
    if (std::isnan(result.m)) break;
  }
  result.probabilities.reserve(scores.size());
  std::uint32_t sum = 0;
  for (const float score : scores) {
    const double distance = static_cast<double>(score) - static_cast<double>(result.m);
    const std::uint16_t probability = fp16_from_double(std::exp(distance));
    result.probabilities.push_back(probability);
    sum = mac_sum(sum, bits_of_float(fp16_to_float(probability)));
  }
  result.m = float_of_bits(canonical_bits(result.m));
  result.l = float_of_bits(sum);
  return result;
}

}  // namespace lockstep
