// The C functions for DPI: lanes are packed with lane 0 least significant, and nothing is kept.
#include <gtest/gtest.h>

#include "rtl/dpi/lockstep_mac_dpi.h"
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

TEST(LockstepMacDpi, AddsADotToTheAccumulatorItIsGiven) {
  std::uint32_t column[8] = {0x40003C00};      // lane 0: 1, lane 1: 2
  std::uint32_t operand[8] = {0x44004200, 0};  // lane 0: 3, lane 1: 4
  EXPECT_EQ(float_of_bits(lockstep_mac_dot(column, operand, bits_of_float(0.5F))), 11.5F);
  EXPECT_EQ(float_of_bits(lockstep_mac_dot(column, operand, bits_of_float(0.5F))), 11.5F);
  column[7] = 0x7C000000;   // lane 15: infinity
  operand[7] = 0x80000000;  // times -0
  EXPECT_EQ(lockstep_mac_dot(column, operand, 0), 0x7FC00000U);
}

TEST(LockstepMacDpi, AddsEachLaneOfAnAxpyToItsOwn) {
  std::uint32_t column[8] = {};
  std::uint32_t before[16];
  std::uint32_t after[16];
  for (unsigned lane = 0; lane < 16; ++lane) {
    column[lane / 2] |= static_cast<std::uint32_t>(fp16_from_double(lane)) << (lane % 2 * 16);
    before[lane] = bits_of_float(100.0F);
  }
  lockstep_mac_axpy(column, 0x3800, before, after);  // 0.5
  for (unsigned lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(float_of_bits(after[lane]), 100.0F + 0.5F * static_cast<float>(lane)) << lane;
  }
}

}  // namespace
}  // namespace lockstep
