// IEEE 754 binary16 as an exchange format: selectors store scores in it, and ties arise from it.
#pragma once

#include <cstdint>

namespace lockstep {

float float_of_half(std::uint16_t half);

// Rounds to nearest, ties to even; overflows to infinity; a NaN stays a (quiet) NaN.
std::uint16_t half_of_float(float value);

inline float rounded_to_half(float value) {
  return float_of_half(half_of_float(value));
}

}  // namespace lockstep
