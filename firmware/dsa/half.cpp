#include "firmware/dsa/half.h"

#include <cmath>
#include <cstring>

namespace lockstep {
namespace {

constexpr int kFractionBits = 10;
constexpr int kDroppedBits = 23 - kFractionBits;
constexpr std::uint32_t kInfinity = 0x7C00;
constexpr std::uint32_t kQuietNan = 0x7E00;

std::uint32_t shift_to_even(std::uint32_t value, int bits) {
  const std::uint32_t half = std::uint32_t{1} << (bits - 1);
  const std::uint32_t kept = value >> bits;
  const std::uint32_t rest = value & ((std::uint32_t{1} << bits) - 1);
  return kept + (rest > half || (rest == half && (kept & 1U) != 0) ? 1 : 0);
}

}  // namespace

float float_of_half(std::uint16_t half) {
  const int exponent = (half >> kFractionBits) & 0x1F;
  const int fraction = half & 0x3FF;
  const float sign = (half & 0x8000U) != 0 ? -1.0F : 1.0F;
  if (exponent == 0x1F) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
}

std::uint16_t half_of_float(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | kQuietNan);
  if (magnitude >= 0x477FF000U) return static_cast<std::uint16_t>(sign | kInfinity);  // 65520
  const int exponent = static_cast<int>(magnitude >> 23U) - 127;
  if (exponent >= -14) {
    const std::uint32_t rebiased = magnitude - (std::uint32_t{127 - 15} << 23U);
    return static_cast<std::uint16_t>(sign | shift_to_even(rebiased, kDroppedBits));
  }
  if (exponent < -25) return static_cast<std::uint16_t>(sign);
  const std::uint32_t fraction = (magnitude & 0x7FFFFFU) | 0x800000U;
  return static_cast<std::uint16_t>(sign | shift_to_even(fraction, kDroppedBits - 14 - exponent));
}

}  // namespace lockstep
