// The arithmetic contract of the bank unit, number by number: fp16 operands, fp32 products and sums
// as bit patterns (docs/rtl.md, "Numbers"). Host floats do the work; NaN is made canonical here.
#pragma once

#include <cfloat>
#include <cstdint>
#include <cstring>
#include <limits>

namespace lockstep {

static_assert(std::numeric_limits<float>::is_iec559 && FLT_EVAL_METHOD == 0,
              "the contract is IEEE 754 binary32, each operation rounded to binary32");

inline constexpr std::uint32_t kCanonicalNan = 0x7FC00000;

inline float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint32_t bits_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The bit pattern of `value`, with every NaN as 0x7FC00000.
inline std::uint32_t canonical_bits(float value) {
  const std::uint32_t bits = bits_of_float(value);
  return (bits & 0x7FFFFFFF) > 0x7F800000 ? kCanonicalNan : bits;
}

// The value of an fp16 bit pattern: exact, subnormals included. No host subnormal takes part, and
// no branch, so that compilers turn a loop over lanes into vector code.
inline float fp16_to_float(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7FFFU;
  const std::uint32_t sign = (half & 0x8000U) << 16;
  constexpr std::uint32_t kBiasDifference = (127U - 15U) << 23;
  const std::uint32_t special = magnitude >= 0x7C00 ? kBiasDifference : 0;  // exponent 31 to 255
  const std::uint32_t normal = (magnitude << 13) + kBiasDifference + special;
  // 2^-14 (1 + f) - 2^-14 = 2^-14 f: what a subnormal of fraction f is.
  constexpr std::uint32_t kSmallestNormal = 113U << 23;
  const float fraction =
      float_of_bits((magnitude << 13) | kSmallestNormal) - float_of_bits(kSmallestNormal);
  const std::uint32_t bits = magnitude < 0x0400 ? bits_of_float(fraction) : normal;
  return float_of_bits(bits | sign);
}

// The fp16 bit pattern nearest to `value`, ties to even; overflow is infinity, a NaN is 0x7E00.
// From double, so that a number computed in double is rounded once.
std::uint16_t fp16_from_double(double value);

// Exact: 22 bits of product fit binary32, and no product of fp16 numbers is subnormal or overflows.
inline std::uint32_t mac_product(std::uint16_t a, std::uint16_t b) {
  return canonical_bits(fp16_to_float(a) * fp16_to_float(b));
}

// Rounded to nearest even; x + (-x) is +0.
inline std::uint32_t mac_sum(std::uint32_t a, std::uint32_t b) {
  return canonical_bits(float_of_bits(a) + float_of_bits(b));
}

}  // namespace lockstep
