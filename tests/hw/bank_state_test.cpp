// Open rows of a domain: one state for host and PIM commands.
#include "hw/dram/bank_state.h"

#include <gtest/gtest.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr Topology kChannel{2, 2, 4, 4, Level::kDomain};
constexpr Topology kTwoSids{1, 2, 4, 4, Level::kSid};

TEST(BankState, StartsWithEveryBankClosed) {
  const BankState banks(kChannel);
  EXPECT_EQ(banks.open_banks(), 0);
  EXPECT_EQ(banks.lockstep_row({1, 1, 3, 3}), BankState::kClosed);
  EXPECT_TRUE(banks.all_closed(0));
  EXPECT_TRUE(banks.all_closed(1));
}

TEST(BankState, ActabOpensOneRowInEveryBankOfTheScopeAndInNoOther) {
  BankState banks(kTwoSids);
  banks.apply(Cmd::ACTab, {0, 1, 0, 0}, 7);
  EXPECT_EQ(banks.lockstep_row({0, 1, 2, 2}), 7);
  EXPECT_EQ(banks.open_row({0, 1, 3, 3}), 7);
  EXPECT_EQ(banks.lockstep_row({0, 0, 0, 0}), BankState::kClosed);
  EXPECT_EQ(banks.activations(), 16);
}

TEST(BankState, OneBankOfAnotherRowMakesTheScopeMixed) {
  BankState banks(kChannel);
  banks.apply(Cmd::ACTab, {}, 7);
  banks.apply(Cmd::PREpb, {1, 0, 2, 1}, 0);
  EXPECT_EQ(banks.lockstep_row({}), BankState::kMixed);
  banks.apply(Cmd::ACT, {1, 0, 2, 1}, 8);
  EXPECT_EQ(banks.lockstep_row({}), BankState::kMixed);
  banks.apply(Cmd::PREpb, {1, 0, 2, 1}, 0);
  banks.apply(Cmd::ACT, {1, 0, 2, 1}, 7);
  EXPECT_EQ(banks.lockstep_row({}), 7) << "every bank has row 7 open, whoever opened it";
}

TEST(BankState, SixtyFourSingleActivationsOfOneRowEqualAnActab) {
  BankState one_by_one(kChannel);
  for (int bank = 0; bank < 64; ++bank) one_by_one.apply(Cmd::ACT, kChannel.address(bank), 5);
  BankState together(kChannel);
  together.apply(Cmd::ACTab, {}, 5);
  EXPECT_EQ(one_by_one.lockstep_row({}), 5);
  EXPECT_TRUE(one_by_one == together);
  EXPECT_EQ(one_by_one.activations(), together.activations());
}

TEST(BankState, SameBankCommandsTouchOneBankOfEveryGroupOfTheirSid) {
  BankState banks(kChannel);
  banks.apply(Cmd::ACTsb, {0, 1, 2, 3}, 9);
  EXPECT_EQ(banks.open_banks(), 4);
  for (int group = 0; group < 4; ++group) EXPECT_EQ(banks.open_row({0, 1, group, 3}), 9);
  EXPECT_EQ(banks.same_bank_row({0, 1, 0, 3}), 9);
  EXPECT_EQ(banks.same_bank_row({0, 1, 0, 2}), BankState::kClosed);
  banks.apply(Cmd::PREpb, {0, 1, 1, 3}, 0);
  EXPECT_EQ(banks.same_bank_row({0, 1, 0, 3}), BankState::kMixed);
  banks.apply(Cmd::PREsb, {0, 1, 0, 3}, 0);
  EXPECT_EQ(banks.open_banks(), 0);
}

TEST(BankState, PrechargeCountsOnlyBanksThatWereOpen) {
  BankState banks(kChannel);
  banks.apply(Cmd::ACT, {0, 0, 1, 1}, 3);
  banks.apply(Cmd::PREab, {}, 0);
  banks.apply(Cmd::PREab, {}, 0);
  banks.apply(Cmd::PREpb, {0, 0, 1, 1}, 0);
  EXPECT_EQ(banks.activations(), 1);
  EXPECT_EQ(banks.precharges(), 1);
}

TEST(BankState, AutoPrechargeClosesTheBankOfRdaAndWra) {
  BankState banks(kChannel);
  for (const Cmd cmd : {Cmd::RDA, Cmd::WRA}) {
    banks.apply(Cmd::ACT, {0, 0, 1, 1}, 3);
    banks.apply(cmd, {0, 0, 1, 1}, 3);
    EXPECT_EQ(banks.open_row({0, 0, 1, 1}), BankState::kClosed);
  }
}

TEST(BankState, OnePseudoChannelMayBeClosedWhileTheOtherIsNot) {
  BankState banks(kChannel);
  banks.apply(Cmd::ACT, {1, 1, 3, 3}, 3);
  EXPECT_TRUE(banks.all_closed(0));
  EXPECT_FALSE(banks.all_closed(1));
}

TEST(BankState, ABankNeverHasTwoRowsOpen) {
  BankState banks(kChannel);
  banks.apply(Cmd::ACT, {0, 0, 1, 1}, 3);
  EXPECT_THROW(banks.apply(Cmd::ACT, {0, 0, 1, 1}, 4), InternalError);
  EXPECT_THROW(banks.apply(Cmd::ACTsb, {0, 0, 0, 1}, 4), InternalError);
  EXPECT_THROW(banks.apply(Cmd::ACTab, {}, 4), InternalError);
}

}  // namespace
}  // namespace lockstep
