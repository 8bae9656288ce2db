// The arithmetic contract against oracles that are not ours: GNU MPFR (tests/data/mac), the IEEE
// formula of fp16, and hand-made sums whose order shows.
#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tlm/contract/mac_arithmetic.h"

namespace lockstep {
namespace {

std::ifstream data(const char* name) {
  std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR "/tests/data/mac/") + name);
  EXPECT_TRUE(file) << name;
  file >> std::hex;
  return file;
}

// The next `words.size()` hexadecimal numbers, which may be narrower than what streams can read.
template <typename Words>
void read(std::ifstream& file, Words& words) {
  std::uint32_t word = 0;
  for (auto& target : words) {
    file >> word;
    target = static_cast<typename Words::value_type>(word);
  }
}

TEST(MacArithmetic, ProductsAreThoseOfMpfr) {
  std::ifstream file = data("product.txt");
  std::uint32_t a, b, product;
  int lines = 0;
  for (; file >> a >> b >> product; ++lines) {
    ASSERT_EQ(mac_product(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)), product)
        << std::hex << a << " x " << b;
  }
  EXPECT_EQ(lines, 2000);
}

TEST(MacArithmetic, SumsAreThoseOfMpfr) {
  std::ifstream file = data("sum.txt");
  std::uint32_t a, b, sum;
  int lines = 0;
  for (; file >> a >> b >> sum; ++lines) {
    ASSERT_EQ(mac_sum(a, b), sum) << std::hex << a << " + " << b;
  }
  EXPECT_EQ(lines, 2000);
}

TEST(MacArithmetic, RoundsToFp16AsMpfrDoes) {
  std::ifstream file = data("half.txt");
  std::uint64_t bits;
  std::uint32_t half;
  int lines = 0;
  for (; file >> bits >> half; ++lines) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    ASSERT_EQ(fp16_from_double(value), half) << std::hex << bits;
  }
  EXPECT_EQ(lines, 2000);
}

TEST(MacArithmetic, DotsAreThoseOfMpfr) {
  std::ifstream file = data("dot.txt");
  for (int line = 0; line < 400; ++line) {
    Column column, operand;
    std::array<std::uint32_t, 2> accumulator;
    read(file, column);
    read(file, operand);
    read(file, accumulator);
    ASSERT_TRUE(file) << "line " << line;
    ASSERT_EQ(mac_dot(column, operand, accumulator[0]), accumulator[1]) << "line " << line;
  }
}

TEST(MacArithmetic, AxpysAreThoseOfMpfr) {
  std::ifstream file = data("axpy.txt");
  for (int line = 0; line < 200; ++line) {
    std::array<std::uint16_t, 1> scalar;
    Column column;
    LaneWords before, after;
    read(file, scalar);
    read(file, column);
    read(file, before);
    read(file, after);
    ASSERT_TRUE(file) << "line " << line;
    mac_axpy(column, scalar[0], before);
    ASSERT_EQ(before, after) << "line " << line;
  }
}

// IEEE 754: (-1)^s 2^(e-15) (1 + f/1024), and (-1)^s 2^-14 f/1024 for e = 0. And back.
TEST(MacArithmetic, EveryFp16NumberIsItsFormulaAndRoundsToItself) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const int fraction = static_cast<int>(bits & 1023);
    const float value = fp16_to_float(half);
    if (exponent == 31 && fraction != 0) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_EQ(fp16_from_double(value), 0x7E00);
      continue;
    }
    const double magnitude = exponent == 31  ? HUGE_VAL
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(value, bits >= 0x8000 ? -magnitude : magnitude) << bits;
    ASSERT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    ASSERT_EQ(fp16_from_double(value), bits);
  }
}

// 2^24 + 1 is no fp32 number: 1 is lost beside it, but not when it meets -2^24 first.
TEST(MacArithmetic, AddsNeighboursBeforeTheirSums) {
  constexpr std::uint16_t kOne = 0x3C00, k4096 = 0x6C00, kMinus4096 = 0xEC00;
  Column column{}, operand{};
  column[0] = k4096, operand[0] = k4096;       // 2^24
  column[1] = kOne, operand[1] = kOne;         // lost in lane 0 + lane 1
  column[2] = kMinus4096, operand[2] = k4096;  // -2^24
  EXPECT_EQ(float_of_bits(mac_dot(column, operand, 0)), 0.0F);
  std::swap(column[1], column[2]);
  std::swap(operand[1], operand[2]);  // now 2^24 - 2^24 come first
  EXPECT_EQ(float_of_bits(mac_dot(column, operand, 0)), 1.0F);
  // The accumulator comes last: it does not take part in the tree.
  EXPECT_EQ(float_of_bits(mac_dot(column, operand, bits_of_float(0x1p24F))), 0x1p24F);
}

TEST(MacArithmetic, NanIsCanonicalAndOpposedNumbersGivePlusZero) {
  constexpr std::uint16_t kInfinity = 0x7C00, kMinusInfinity = 0xFC00;
  EXPECT_EQ(mac_product(kInfinity, 0x8000), 0x7FC00000U);
  EXPECT_EQ(mac_product(0xFD01, 0x3C00), 0x7FC00000U);
  EXPECT_EQ(mac_product(kMinusInfinity, 0x0001), 0xFF800000U);
  EXPECT_EQ(mac_sum(0x7F800000, 0xFF800000), 0x7FC00000U);
  EXPECT_EQ(mac_sum(0xFF812345, 0x3F800000), 0x7FC00000U);
  EXPECT_EQ(mac_sum(0x3F800000, 0xBF800000), 0x00000000U);
  EXPECT_EQ(mac_sum(0x80000000, 0x80000000), 0x80000000U);
  EXPECT_EQ(mac_product(0x8000, 0x3C00), 0x80000000U);
}

}  // namespace
}  // namespace lockstep
