// What the golden model refuses, and what the untimed calls and vectors promise.
#include "hw/pim/mac_model.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "hw/pim/mac_vectors.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

template <typename Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(MacModel, RefusesParametersThatNoUnitHas) {
  EXPECT_EQ(refusal([] { MacModel unit({0, 2, 6}); }), "a bank unit serves 1 to 8 queries");
  EXPECT_EQ(refusal([] { MacModel unit({9, 1, 6}); }), "a bank unit serves 1 to 8 queries");
  EXPECT_EQ(refusal([] {
              MacModel unit({8, 3, 6});
            }),
            "a bank unit has 1 to 16 lane sets: queries times column parts");
  EXPECT_EQ(refusal([] { MacModel unit({8, 2, 2}); }), "a bank unit has 1, 3 or 6 stages");
}

TEST(MacModel, RefusesAccumulatorsThatItDoesNotHave) {
  MacModel unit({2, 2, 6});
  const auto issue = [&](MacOp op, std::uint16_t index, std::uint16_t scalar) {
    const MacIssue made{op, 0, index, scalar, {}, {}};
    return refusal([&] { unit.clock(&made, nullptr); });
  };
  EXPECT_EQ(issue(MacOp::kDot, 32, 0), "a DOT names a score that the unit does not have");
  EXPECT_EQ(issue(MacOp::kAxpy, 4, 0), "an AXPY names a lane set that the unit does not have");
  EXPECT_EQ(issue(MacOp::kAxpy, 0, 32), "an AXPY names a scalar that the unit does not have");
  EXPECT_EQ(issue(MacOp::kLoadScalars, 2, 0), "scalars are loaded for a query that is not there");
  EXPECT_EQ(refusal([&] {
              unit.read({MacBank::kScores, 4});
            }),
            "a drain names scores that the unit does not have");
  EXPECT_EQ(refusal([&] {
              unit.read({MacBank::kLanes, 8});
            }),
            "a drain names a lane set that the unit does not have");
}

TEST(MacModel, RefusesUntimedCallsWhileABeatIsInFlight) {
  MacModel unit({1, 1, 6});
  const MacIssue dot;
  unit.clock(&dot, nullptr);
  EXPECT_EQ(refusal([&] { unit.execute(dot); }), "an untimed operation met one that was in flight");
  EXPECT_EQ(refusal([&] { unit.read({}); }), "an untimed drain met an operation in flight");
}

// One token's 32 dims in two columns, then its probability 0.5 onto a value column.
TEST(MacModel, ComputesAScoreAndAContextByHand) {
  MacModel unit({4, 2, 6});
  const MacParameters& parameters = unit.parameters();
  MacIssue dot;
  dot.index = static_cast<std::uint16_t>(parameters.score_index(2, 7));
  dot.column.fill(0x3800);   // 0.5
  dot.operand.fill(0x4000);  // 2
  unit.execute(dot);
  EXPECT_EQ(float_of_bits(unit.execute(dot)[0]), 32.0F);
  EXPECT_EQ(float_of_bits(unit.read({MacBank::kScores, 4})[7]), 32.0F);  // score 39 = 4 * 8 + 7

  MacIssue load{MacOp::kLoadScalars, 0, 2, 0, {}, {}};
  load.column[7] = 0x3800;
  unit.execute(load);
  MacIssue axpy{MacOp::kAxpy, 0, 0, 0, {}, {}};
  axpy.index = static_cast<std::uint16_t>(parameters.lane_set_index(2, 1));
  axpy.scalar = static_cast<std::uint16_t>(parameters.scalar_index(2, 7));
  for (int lane = 0; lane < kMacLanes; ++lane) axpy.column[lane] = fp16_from_double(lane);
  unit.execute(axpy);
  EXPECT_EQ(float_of_bits(unit.read({MacBank::kLanes, 11})[6]), 7.0F);  // set 5, lane 14 x 0.5
}

// A vector has the fields that the testbench takes apart: 1348 bits are 337 digits.
TEST(MacVectors, HaveOneWordOfTheTestbenchAClockAndSayWhatMadeThem) {
  MacVectorSpec spec;
  spec.parameters = {8, 2, 3};
  spec.clocks = 50;
  spec.seed = 9;
  std::ostringstream out;
  write_mac_vectors(out, spec);
  std::istringstream lines(out.str());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "// lockstep vectors: op all, count 50, seed 9, queries 8, column parts 2, depth 3");
  std::getline(lines, line);
  int words = 0;
  for (; std::getline(lines, line); ++words) {
    EXPECT_EQ(line.size() - static_cast<std::size_t>(std::count(line.begin(), line.end(), '_')),
              337U);
  }
  EXPECT_EQ(words, 50);
}

// What testbenches and planted faults run on is what this model says today.
TEST(MacVectors, InTheRepositoryAreThoseOfTheModel) {
  for (const MacTiming& row : kMacTimings) {
    const std::string name = "mac_all_d" + std::to_string(row.depth) + "_seed1.hex";
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/data/mac/" + name);
    std::stringstream committed;
    committed << file.rdbuf();
    MacVectorSpec spec;
    spec.parameters = {8, 2, row.depth};
    spec.clocks = 400;
    spec.seed = 1;
    std::ostringstream written;
    write_mac_vectors(written, spec);
    EXPECT_TRUE(committed.str() == written.str()) << name;
  }
}

}  // namespace
}  // namespace lockstep
