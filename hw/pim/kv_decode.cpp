#include "hw/pim/kv_decode.h"

#include <cmath>

#include "tlm/contract/errors.h"
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

std::uint16_t half_of_int8(std::uint8_t bits) {
  return fp16_from_double(static_cast<std::int8_t>(bits));
}

std::uint16_t half_of_e4m3(std::uint8_t bits) {
  constexpr int kBias = 7;
  constexpr int kFractionBits = 3;
  const auto sign = static_cast<std::uint16_t>((bits & 0x80) << 8);
  const int exponent = (bits >> kFractionBits) & 0xF;
  const int fraction = bits & 0x7;
  if (exponent == 0xF && fraction == 0x7) return 0x7E00;
  const int significand = exponent == 0 ? fraction : fraction + (1 << kFractionBits);
  const int scale = (exponent == 0 ? 1 : exponent) - kBias - kFractionBits;
  return static_cast<std::uint16_t>(sign | fp16_from_double(std::ldexp(significand, scale)));
}

// bf16 is fp32 without its lower 16 bits.
std::uint16_t half_of_bf16(const std::uint8_t* at) {
  const auto bits = static_cast<std::uint32_t>(at[0] | at[1] << 8) << 16;
  const float number = float_of_bits(bits);
  if (std::isnan(number)) return 0x7E00;
  return fp16_from_double(static_cast<double>(number));
}

// E5M2 is fp16 without its lower eight bits.
std::uint16_t half_of_e5m2(std::uint8_t bits) {
  return static_cast<std::uint16_t>(bits << 8);
}

std::uint16_t half_of(KvElement element, const std::uint8_t* at) {
  switch (element) {
    case KvElement::kFp16:
      return static_cast<std::uint16_t>(at[0] | at[1] << 8);
    case KvElement::kInt8:
      return half_of_int8(*at);
    case KvElement::kFp8E4m3:
      return half_of_e4m3(*at);
    case KvElement::kFp8E5m2:
      return half_of_e5m2(*at);
    case KvElement::kBf16:
      return half_of_bf16(at);
  }
  throw InternalError("an element of K and V without a decoder");
}

}  // namespace

Column decode_beat(KvElement element, const std::uint8_t* column, int beat) {
  const int bytes = traits(element).bytes;
  Column lanes;
  for (int lane = 0; lane < kMacLanes; ++lane) {
    lanes[static_cast<std::size_t>(lane)] =
        half_of(element, column + (beat * kMacLanes + lane) * bytes);
  }
  return lanes;
}

}  // namespace lockstep
