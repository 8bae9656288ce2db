// Rounding to fp16: integers only, so that neither the host's rounding mode nor F16C has a say.
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

constexpr int kDoubleBias = 1023;
constexpr int kHalfBias = 15;
constexpr int kDoubleFractionBits = 52;
constexpr int kHalfFractionBits = 10;

}  // namespace

std::uint16_t fp16_from_double(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const auto sign = static_cast<std::uint16_t>((bits >> 48) & 0x8000);
  const int biased = static_cast<int>((bits >> kDoubleFractionBits) & 0x7FF);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << kDoubleFractionBits) - 1);
  if (biased == 0x7FF) return fraction != 0 ? 0x7E00 : static_cast<std::uint16_t>(sign | 0x7C00);

  const int exponent = biased - kDoubleBias + kHalfBias;
  // Below half of the smallest subnormal, 2^-25, everything rounds to zero. So do host subnormals.
  if (exponent < -kHalfFractionBits) return sign;
  const std::uint64_t significand = fraction | (std::uint64_t{1} << kDoubleFractionBits);
  const int subnormal_shift = exponent < 1 ? 1 - exponent : 0;
  const int shift = kDoubleFractionBits - kHalfFractionBits + subnormal_shift;
  std::uint64_t kept = significand >> shift;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  // The hidden one, and a carry out of rounding, add to the exponent by themselves.
  const std::int64_t magnitude =
      (static_cast<std::int64_t>(exponent < 1 ? 1 : exponent) << kHalfFractionBits) +
      static_cast<std::int64_t>(kept) - (1 << kHalfFractionBits);
  return static_cast<std::uint16_t>(sign | (magnitude >= 0x7C00 ? 0x7C00 : magnitude));
}

}  // namespace lockstep
