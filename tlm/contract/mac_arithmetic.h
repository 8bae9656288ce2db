// What one beat of the bank unit computes: DOT and AXPY over the 16 lanes of a column.
// Stateless. The order of the additions is part of the contract: it decides the last bit.
#pragma once

#include <array>
#include <cstdint>

#include "tlm/contract/fp16.h"

namespace lockstep {

inline constexpr int kMacLanes = 16;

using Column = std::array<std::uint16_t, kMacLanes>;     // fp16 bits; lane 0 at the lowest address
using LaneWords = std::array<std::uint32_t, kMacLanes>;  // fp32 bits

// accumulator + tree(column[i] x operand[i]). The tree adds neighbours: lanes 0+1, 2+3, ..., then
// neighbours of those sums, four levels; the accumulator comes last.
inline std::uint32_t mac_dot(const Column& column, const Column& operand,
                             std::uint32_t accumulator) {
  float terms[kMacLanes];
  for (int lane = 0; lane < kMacLanes; ++lane) {
    terms[lane] = fp16_to_float(column[lane]) * fp16_to_float(operand[lane]);
  }
  for (int count = kMacLanes / 2; count > 0; count /= 2) {
    for (int i = 0; i < count; ++i) terms[i] = terms[2 * i] + terms[2 * i + 1];
  }
  return canonical_bits(float_of_bits(accumulator) + terms[0]);
}

// lanes[i] += scalar x column[i], each lane on its own.
inline void mac_axpy(const Column& column, std::uint16_t scalar, LaneWords& lanes) {
  const float factor = fp16_to_float(scalar);
  for (int lane = 0; lane < kMacLanes; ++lane) {
    const float product = fp16_to_float(column[lane]) * factor;
    lanes[lane] = canonical_bits(float_of_bits(lanes[lane]) + product);
  }
}

}  // namespace lockstep
