// Each row of the HBM3 table, alone in an engine: it delays exactly the commands and banks that it
// names, by exactly its latency. A new row is tested by being there.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "hw/dram/timing_engine.h"

namespace lockstep {
namespace {

constexpr Cycles kStart{1000};
constexpr BankAddress kFrom{0, 1, 1, 0};

Topology two_of_each(Level lockstep) {
  return {/*pseudo_channels=*/2, /*stack_ids=*/2, /*bank_groups=*/2, /*banks=*/2, lockstep};
}

std::vector<BankAddress> all_banks() {
  std::vector<BankAddress> all;
  for (int i = 0; i < 16; ++i) all.push_back({i / 8, i / 4 % 2, i / 2 % 2, i % 2});
  return all;
}

// The meaning of a level in coordinates; the engine works with node numbers.
bool share_node(Level level, BankAddress a, BankAddress b) {
  const bool same_channel = a.pseudo_channel == b.pseudo_channel;
  const bool same_sid = same_channel && a.stack_id == b.stack_id;
  const bool same_group = same_sid && a.bank_group == b.bank_group;
  switch (level) {
    case Level::kDomain:
      return true;
    case Level::kPseudoChannel:
      return same_channel;
    case Level::kSid:
      return same_sid;
    case Level::kBankGroup:
      return same_group;
    case Level::kBank:
      return same_group && a.bank == b.bank;
  }
  return false;
}

// Whether `bank` is one of those that `cmd`, sent to `at`, concerns.
bool concerns(Cmd cmd, BankAddress at, BankAddress bank, Level lockstep) {
  switch (traits(cmd).scope) {
    case Scope::kBank:
      return at == bank;
    case Scope::kSameBank:
      return share_node(Level::kSid, at, bank) && at.bank == bank.bank;
    case Scope::kLockstep:
      return share_node(lockstep, at, bank);
    case Scope::kPseudoChannel:
      return share_node(Level::kPseudoChannel, at, bank);
  }
  return false;
}

bool related(const Constraint& row, BankAddress source, BankAddress target) {
  const bool same = share_node(row.level, source, target);
  if (row.relation == Relation::kSame) return same;
  return !same && share_node(Level::kPseudoChannel, source, target);
}

bool delays(const Constraint& row, Cmd before, Cmd after, BankAddress to, Level lockstep) {
  if (!row.after.contains(after)) return false;
  for (const auto& source : all_banks()) {
    if (!concerns(before, kFrom, source, lockstep)) continue;
    for (const auto& target : all_banks()) {
      if (concerns(after, to, target, lockstep) && related(row, source, target)) return true;
    }
  }
  return false;
}

TimingSet tens(Level lockstep, ActAbPower power) {
  TimingSet set{};
  for (const auto& field : kTimingFields) set.dram.*field.member = {10};
  set.pim.act_ab = power;
  set.pim.n_mac_latency = {10};
  set.banks_per_sid = two_of_each(lockstep).banks_in_lockstep();
  return set;
}

void expect_exact_delays(const Constraint& row, Level lockstep, ActAbPower power) {
  const TimingSet set = tens(lockstep, power);
  const Cycles latency = row.latency(set);
  for (const auto& before : kCommands) {
    if (!row.before.contains(before.cmd)) continue;
    TimingEngine engine(two_of_each(lockstep), set, {&row, 1});
    for (int i = 0; i < row.window; ++i) engine.issue(before.cmd, kFrom, kStart);
    for (const auto& after : kCommands) {
      for (const auto& to : all_banks()) {
        const bool delayed =
            latency > Cycles{0} && delays(row, before.cmd, after.cmd, to, lockstep);
        const Cycles expected = delayed ? kStart + latency : Cycles{0};
        ASSERT_EQ(engine.earliest(after.cmd, to).count, expected.count)
            << row.rule << ": " << before.name << " then " << after.name << " to bank "
            << to.pseudo_channel << to.stack_id << to.bank_group << to.bank;
      }
    }
  }
}

TEST(TimingTable, EveryRowDelaysWhatItNamesAndNothingElse) {
  for (const auto& row : kHbm3Constraints) {
    for (const Level lockstep : {Level::kDomain, Level::kPseudoChannel, Level::kSid}) {
      for (const auto power : {ActAbPower::kSimultaneous, ActAbPower::kStaggered}) {
        expect_exact_delays(row, lockstep, power);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// One command fewer than the window holds delays nothing.
TEST(TimingTable, WindowRowsCountFromTheirFirstCommand) {
  for (const auto& row : kHbm3Constraints) {
    if (row.window == 1) continue;
    TimingEngine engine(two_of_each(Level::kDomain),
                        tens(Level::kDomain, ActAbPower::kSimultaneous), {&row, 1});
    for (int i = 0; i + 1 < row.window; ++i) engine.issue(Cmd::ACT, kFrom, kStart + Cycles{i});
    EXPECT_EQ(engine.earliest(Cmd::ACT, kFrom).count, 0) << row.rule;
    engine.issue(Cmd::ACT, kFrom, kStart + Cycles{5});
    EXPECT_EQ(engine.earliest(Cmd::ACT, kFrom).count, 1010) << row.rule;
  }
}

}  // namespace
}  // namespace lockstep
