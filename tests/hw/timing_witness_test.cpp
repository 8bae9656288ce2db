// The hand-worked witnesses of timing_witnesses.h against the whole HBM3 table.
#include <set>

#include <gtest/gtest.h>

#include "hw/dram/timing_engine.h"
#include "tests/hw/timing_witnesses.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// A SID of 16 banks works in lockstep, so that every relation between two SIDs can be seen.
constexpr Topology kTopology{2, 2, 4, 4, Level::kSid};
constexpr std::int64_t kStart = 1000;

TimingEngine after_history(const Witness& witness, TimingSet set) {
  set.pim.act_ab = witness.act_ab;
  set.pim.overlap = witness.overlap;
  set.banks_per_sid = kTopology.banks_per_sid();
  if (witness.faw > 0) set.dram.nFAW = {witness.faw};
  TimingEngine engine(kTopology, set);
  for (const auto& [cmd, at, clock] : witness.history) engine.issue(cmd, at, {kStart + clock});
  return engine;
}

void expect_first_legal(const Witness& witness, const TimingSet& set, std::int64_t clock) {
  const TimingEngine engine = after_history(witness, set);
  const Cycles first{kStart + clock};
  TimingEngine early = engine;
  EXPECT_THROW(early.issue(witness.cmd, witness.at, first - Cycles{1}), InternalError);
  TimingEngine in_time = engine;
  EXPECT_NO_THROW(in_time.issue(witness.cmd, witness.at, first));
}

TEST(TimingWitness, EveryHandWorkedClockIsLegalAndTheOneBeforeIsNot) {
  TimingSet preset = hbm3_5200();
  preset.pim.n_mac_latency = {30};
  preset.pim.n_move_latency = {25};
  for (const auto& witness : timing_witnesses()) {
    SCOPED_TRACE(std::string(traits(witness.cmd).name) + ", " + witness.arithmetic);
    expect_first_legal(witness, preset, witness.clock_5200);
    expect_first_legal(witness, told_apart(), witness.clock_apart);
  }
}

TEST(TimingWitness, EveryRowOfTheTableHasOne) {
  std::set<int> rows;
  for (const auto& witness : timing_witnesses()) {
    const auto engine = after_history(witness, told_apart());
    rows.insert(engine.bound(witness.cmd, witness.at).rule);
  }
  for (std::size_t i = 0; i < kHbm3RuleCount; ++i) {
    EXPECT_EQ(rows.count(static_cast<int>(i)), 1U)
        << "row " << i << ", " << kHbm3Constraints[i].rule << ", binds in no witness";
  }
}

// Two halves of one SID stand as two nodes: power and refresh limits of the SID hold across them
// (nFAW 39, nRRDL 4, nRREFD 8), limits between two SIDs (nCCDR) do not.
TEST(TimingWitness, HalvesOfASidShareItsLimits) {
  constexpr Topology kHalves{1, 2, 2, 4, Level::kSid, 2};
  TimingSet set = hbm3_5200();
  set.dram.nCCDR = {9};
  set.pim.overlap = RowOverlap::kHalfScope;
  TimingEngine engine(kHalves, set);
  const BankAddress first{0, 0, 0, 0};
  const BankAddress second{0, 1, 0, 0};
  engine.issue(Cmd::REFpb, first, {100});
  EXPECT_EQ(engine.earliest(Cmd::ACT, second), Cycles{100 + 8});
  engine.issue(Cmd::ACT, second, {110});
  EXPECT_EQ(engine.earliest(Cmd::REFpb, {0, 0, 1, 0}), Cycles{110 + 4});
  engine.issue(Cmd::ACT, {0, 1, 1, 0}, {120});
  engine.issue(Cmd::ACT, {0, 0, 0, 1}, {124});
  engine.issue(Cmd::ACT, {0, 0, 1, 0}, {128});
  EXPECT_EQ(engine.earliest(Cmd::ACT, {0, 1, 0, 1}), Cycles{110 + 39});
  engine.issue(Cmd::RD, second, {150});
  EXPECT_EQ(engine.earliest(Cmd::RD, {0, 0, 0, 1}), Cycles{150 + 2});
}

TEST(TimingWitness, NoTwoValuesOfTheSetThatTellsRowsApartAreAlike) {
  std::set<std::int64_t> values;
  for (const auto& field : kTimingFields) {
    EXPECT_TRUE(values.insert((told_apart().dram.*field.member).count).second) << field.name;
  }
}

}  // namespace
}  // namespace lockstep
