// The multiplier and the adder of the RTL, alone, against host floats: every rounding, every
// corner.
#include <Vfp16_mul.h>
#include <Vfp32_add.h>
#include <random>

#include <gtest/gtest.h>

#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

constexpr std::uint16_t kHalfCorners[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x03FF, 0x0400,
                                          0x0401, 0x07FF, 0x3C00, 0xBC00, 0x3BFF, 0x3C01, 0x7BFF,
                                          0xFBFF, 0x7C00, 0xFC00, 0x7C01, 0x7E00, 0xFFFF};

std::uint32_t product(Vfp16_mul& multiplier, std::uint16_t a, std::uint16_t b) {
  multiplier.a_i = a;
  multiplier.b_i = b;
  multiplier.eval();
  return multiplier.product_o;
}

std::uint32_t sum(Vfp32_add& adder, std::uint32_t a, std::uint32_t b) {
  adder.a_i = a;
  adder.b_i = b;
  adder.eval();
  return adder.sum_o;
}

// Every a with the corners, and with random b up to `others` in all.
void compare_products(std::size_t others, std::uint64_t seed) {
  VerilatedContext context;
  Vfp16_mul multiplier(&context);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < others; ++i) {
    const auto b =
        i < std::size(kHalfCorners) ? kHalfCorners[i] : static_cast<std::uint16_t>(random());
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const auto a = static_cast<std::uint16_t>(bits);
      ASSERT_EQ(product(multiplier, a, b), mac_product(a, b)) << std::hex << a << " x " << b;
    }
  }
}

// Two fp32 numbers of one of the kinds in which an adder goes wrong.
std::pair<std::uint32_t, std::uint32_t> addends(std::mt19937_64& random) {
  constexpr std::uint32_t kCorners[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF,
                                        0x00800000, 0x80800000, 0x3F800000, 0x3F7FFFFF, 0x7F7FFFFF,
                                        0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001};
  const std::uint64_t bits = random();
  const auto a = static_cast<std::uint32_t>(bits);
  const auto b = static_cast<std::uint32_t>(bits >> 32);
  const std::uint64_t choice = random();
  const std::uint32_t exponent = (a >> 23) & 0xFF;
  const auto near = [&](std::uint32_t distance) {
    return (b & 0x807FFFFF) | (exponent > distance ? exponent - distance : 0) << 23;
  };
  switch (choice % 8) {
    case 0:
      return {a, b};
    case 1:
      return {a & 0x80FFFFFF, b & 0x80FFFFFF};  // about the smallest normal number
    case 2:
      return {kCorners[(choice >> 8) % std::size(kCorners)],
              (choice >> 16) % 2 == 0 ? b : kCorners[(choice >> 24) % std::size(kCorners)]};
    case 3:
      return {a, (a ^ 0x80000000) + static_cast<std::uint32_t>((choice >> 8) % 3)};  // cancel
    case 4:
      return {a, near(static_cast<std::uint32_t>((choice >> 8) % 3))};
    case 5:  // a few bits only: ties
      return {a & 0xFFF00001, near(static_cast<std::uint32_t>((choice >> 8) % 30)) & 0xFFF00000};
    default:
      return {a, near(static_cast<std::uint32_t>((choice >> 8) % 34))};
  }
}

void compare_sums(std::int64_t count, std::uint64_t seed) {
  VerilatedContext context;
  Vfp32_add adder(&context);
  std::mt19937_64 random(seed);
  for (std::int64_t step = 0; step < count; ++step) {
    const auto [a, b] = addends(random);
    ASSERT_EQ(sum(adder, a, b), mac_sum(a, b))
        << std::hex << a << " + " << b << std::dec << " seed " << seed << " step " << step;
    ASSERT_EQ(sum(adder, b, a), mac_sum(a, b)) << "and the other way round";
  }
}

TEST(Fp16Mul, IsExactForEveryNumberTimesTheCorners) {
  compare_products(std::size(kHalfCorners), 1);
}

TEST(Fp16Mul, SlowIsExactForTenMillionProducts) {
  compare_products(160, 2);  // 160 x 65536 = 10.5 million; the corners and 140 random numbers
}

TEST(Fp32Add, RoundsAsIeeeDoesInAMillionSums) {
  compare_sums(1'000'000, 3);
}

TEST(Fp32Add, SlowRoundsAsIeeeDoesInTwelveMillionSums) {
  compare_sums(12'000'000, 4);
}

}  // namespace
}  // namespace lockstep
