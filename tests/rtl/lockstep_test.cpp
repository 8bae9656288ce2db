// The RTL against the golden model at every clock, and what a difference looks like.
#include <fstream>
#include <memory>
#include <sstream>

#include <gtest/gtest.h>

#include "hw/pim/mac_model.h"
#include "hw/pim/mac_vectors.h"
#include "rtl/lockstep_mac.h"
#include "rtl/verilated_mac.h"

namespace lockstep {

void PrintTo(const MacTiming& timing, std::ostream* out) {
  *out << "depth " << timing.depth;
}

namespace {

MacParameters parameters_of(int depth, int queries = 8, int column_parts = 2) {
  MacParameters parameters;
  parameters.queries = queries;
  parameters.column_parts = column_parts;
  parameters.depth = depth;
  return parameters;
}

// Plays random clocks until `beats` operations were issued. A mismatch throws, with its report.
void run(const MacParameters& parameters, std::int64_t beats, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  LockstepMac unit(std::make_unique<MacModel>(parameters),
                   std::make_unique<VerilatedMac>(parameters));
  MacStimulus stimulus(parameters, MacMix::kAll, seed);
  std::int64_t results = 0;
  std::int64_t drains = 0;
  for (std::int64_t issued = 0; issued < beats;) {
    const MacStep& step = stimulus.next();
    if (step.resets) unit.reset();
    const MacOutputs& seen =
        unit.clock(step.issues ? &step.issue : nullptr, step.drains ? &step.drain : nullptr);
    if (step.issues) ++issued;
    if (seen.result_valid) ++results;
    if (seen.drained_valid) ++drains;
  }
  EXPECT_GT(results, beats * 9 / 10) << "resets may lose a few";
  EXPECT_GT(drains, beats / 50);
}

class EveryDepth : public testing::TestWithParam<MacTiming> {};
INSTANTIATE_TEST_SUITE_P(Rtl, EveryDepth, testing::ValuesIn(kMacTimings),
                         [](const auto& row) { return "Depth" + std::to_string(row.param.depth); });

TEST_P(EveryDepth, IsTheModelOverThirtyThousandBeats) {
  run(parameters_of(GetParam().depth), 30'000, 1);
}

TEST_P(EveryDepth, SlowIsTheModelOverAMillionBeats) {
  run(parameters_of(GetParam().depth), 1'000'000, 2);
}

TEST_P(EveryDepth, IsTheModelForFewerQueriesAndOtherColumnParts) {
  run(parameters_of(GetParam().depth, 1, 1), 3'000, 3);
  run(parameters_of(GetParam().depth, 3, 2), 3'000, 4);
  run(parameters_of(GetParam().depth, 4, 4), 3'000, 5);
}

// Measures each column of kMacTimings on the RTL.
TEST_P(EveryDepth, AnswersWhenTheTimingTableSays) {
  const MacTiming& timing = GetParam();
  MacIssue dot;
  dot.column.fill(0x3C00);
  dot.operand.fill(0x3C00);
  const MacDrain drain;
  VerilatedMac unit(parameters_of(timing.depth));

  UnitClocks result{1};
  for (const MacOutputs* seen = &unit.clock(&dot, nullptr); !seen->result_valid; ++result.count) {
    ASSERT_LT(result.count, 10);
    seen = &unit.clock(nullptr, nullptr);
  }
  EXPECT_EQ(result.count, timing.issue_to_result.count);

  UnitClocks drained{1};
  UnitClocks mode_switch{1};
  if (unit.clock(&dot, nullptr).busy) {
    for (const MacOutputs* seen = nullptr;; ++drained.count) {
      ASSERT_LT(drained.count, 10);
      seen = &unit.clock(nullptr, &drain);
      if (seen->drained_valid) {
        EXPECT_EQ(float_of_bits(seen->drained[0]), 32.0F);  // in the call: drain_to_data is 1
        break;
      }
      mode_switch.count += seen->busy ? 1 : 0;
    }
    ++mode_switch.count;  // busy falls after the clock that lets the last beat out
  }
  EXPECT_EQ(drained.count, timing.issue_to_drain.count);
  EXPECT_EQ(mode_switch.count, timing.issue_to_mode_switch.count);
  EXPECT_EQ(timing.drain_to_data.count, 1);
}

// Scalars are loaded in clock 0 and used in clock 1; every operation follows another at once.
TEST_P(EveryDepth, TakesAnyOperationInTheClockAfterAnyOther) {
  const MacTiming& timing = GetParam();
  ASSERT_EQ(timing.issue_to_issue.count, 1);
  ASSERT_EQ(timing.scalars_to_axpy.count, 1);
  VerilatedMac unit(parameters_of(timing.depth));
  MacIssue load{MacOp::kLoadScalars, 1, 0, 0, {}, {}};
  load.column.fill(0x4000);  // 2
  MacIssue axpy{MacOp::kAxpy, 2, 0, 0, {}, {}};
  axpy.column.fill(0x4200);  // 3
  MacIssue dot{MacOp::kDot, 3, 0, 0, axpy.column, axpy.column};
  std::vector<MacOutputs> seen;
  for (const MacIssue* issue : {&load, &axpy, &axpy, &dot, &axpy}) {
    seen.push_back(unit.clock(issue, nullptr));
  }
  for (int i = 0; i < timing.depth; ++i) seen.push_back(unit.clock(nullptr, nullptr));
  const auto result = [&](int issue) {
    return seen[static_cast<std::size_t>(issue + timing.depth - 1)];
  };
  for (const std::uint32_t lane : result(1).data) EXPECT_EQ(float_of_bits(lane), 6.0F);
  for (const std::uint32_t lane : result(2).data) EXPECT_EQ(float_of_bits(lane), 12.0F);
  EXPECT_EQ(float_of_bits(result(3).data[0]), 16 * 9.0F);
  for (const std::uint32_t lane : result(4).data) EXPECT_EQ(float_of_bits(lane), 18.0F);
}

TEST_P(EveryDepth, WritesTheSameTimingTraceAsTheModel) {
  MacVectorSpec spec;
  spec.parameters = parameters_of(GetParam().depth);
  spec.clocks = 2'000;
  MacModel model(spec.parameters);
  VerilatedMac rtl(spec.parameters);
  std::ostringstream of_model, of_rtl;
  write_mac_trace(of_model, spec, model);
  write_mac_trace(of_rtl, spec, rtl);
  EXPECT_GT(of_model.str().size(), 100'000U);
  EXPECT_TRUE(of_model.str() == of_rtl.str());
}

TEST_P(EveryDepth, GivesTheSameUntimedAsTheModel) {
  const MacParameters parameters = parameters_of(GetParam().depth);
  MacModel model(parameters);
  VerilatedMac rtl(parameters);
  MacStimulus stimulus(parameters, MacMix::kAll, 6);
  for (int step = 0; step < 1'000; ++step) {
    const MacStep& next = stimulus.next();
    if (next.issues) {
      ASSERT_EQ(model.execute(next.issue), rtl.execute(next.issue)) << step;
    }
    if (next.drains) {
      ASSERT_EQ(model.read(next.drain), rtl.read(next.drain)) << step;
    }
  }
}

// A unit with one bit wrong, from the beat with tag 2 on.
class Faulty final : public MacUnit {
 public:
  explicit Faulty(const MacParameters& parameters) : unit_(parameters) {}
  const MacParameters& parameters() const override { return unit_.parameters(); }
  void reset() override { unit_.reset(); }
  const MacOutputs& clock(const MacIssue* issue, const MacDrain* drain) override {
    outputs_ = unit_.clock(issue, drain);
    if (outputs_.result_valid && outputs_.tag == 2) outputs_.data[0] ^= 1;
    return outputs_;
  }
  std::string pipeline() const override { return unit_.pipeline(); }

 private:
  VerilatedMac unit_;
  MacOutputs outputs_;
};

TEST(LockstepMac, StopsAtTheFirstDifferenceAndSaysWhatBothHold) {
  const MacParameters parameters = parameters_of(3, 1, 1);
  LockstepMac unit(std::make_unique<MacModel>(parameters), std::make_unique<Faulty>(parameters));
  MacIssue dot;
  dot.index = 5;
  dot.column[0] = dot.operand[0] = 0x3C00;
  for (dot.tag = 1; dot.tag <= 3; ++dot.tag) unit.clock(&dot, nullptr);
  try {
    unit.clock(nullptr, nullptr);
    FAIL() << "the difference was not seen";
  } catch (const LockstepMismatch& mismatch) {
    const std::string zeros =
        " 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        " 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        " 00000000\n";
    const std::string halves =
        " 3c00 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000\n";
    const std::string drained =
        "    drained 0 data 00000000 00000000 00000000 00000000 00000000"
        " 00000000 00000000 00000000; busy 1\n";
    EXPECT_EQ(mismatch.what(),
              "clock 3: the two bank units differ in result data\n"
              "  oldest operation: dot tag 2 issued in clock 1, index 5, scalar 0\n"
              "    column " +
                  halves + "    operand" + halves + "  reference: result 1 tag 2 data 40000000" +
                  zeros + drained +
                  "    pipeline [- | dot tag 3 | dot tag 2]\n"
                  "  device   : result 1 tag 2 data 40000001" +
                  zeros + drained + "    pipeline [- | dot tag 3 | tag 2]\n");
  }
}

TEST(LockstepMac, RefusesUnitsOfDifferentParameters) {
  try {
    LockstepMac(std::make_unique<MacModel>(parameters_of(3)),
                std::make_unique<VerilatedMac>(parameters_of(6)));
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_STREQ(error.what(), "lockstep compares units of equal parameters");
  }
}

TEST(VerilatedMac, UnitsGoOneAfterAnother) {
  std::vector<std::unique_ptr<VerilatedMac>> units;
  MacIssue dot;
  for (int unit = 0; unit < 16; ++unit) {
    units.push_back(std::make_unique<VerilatedMac>(parameters_of(6)));
    units.back()->clock(&dot, nullptr);
  }
  while (!units.empty()) units.erase(units.begin());
}

TEST(VerilatedMac, WritesAWaveformOfTheWindowOnly) {
  const std::string file = testing::TempDir() + "lockstep_mac_window.vcd";
  MacIssue dot;
  try {
    VerilatedMac unit(parameters_of(6), {file, 10, 12});
    for (int clock = 0; clock < 20; ++clock) unit.clock(&dot, nullptr);
  } catch (const Unsupported&) {
    GTEST_SKIP() << "built without waveforms";
  }
  std::ifstream vcd(file);
  if (vcd.peek() != '$') GTEST_SKIP() << "FST is not text";
  std::string times;
  for (std::string line; std::getline(vcd, line);) {
    if (line[0] == '#') times += line;
  }
  EXPECT_EQ(times, "#20#21#22#23#24#25");
}

TEST(VerilatedMac, SaysThatAWaveformCannotBeWritten) {
  try {
    VerilatedMac unit(parameters_of(6), {"no/such/folder/unit.vcd", 0, 1});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no/such/folder/unit.vcd: cannot be written");
  } catch (const Unsupported&) {
    GTEST_SKIP() << "built without waveforms";
  }
}

TEST(VerilatedMac, RefusesAccumulatorsThatItsParametersDoNotName) {
  VerilatedMac unit(parameters_of(6, 2, 1));
  const MacIssue dot{MacOp::kDot, 0, 32, 0, {}, {}};
  const MacDrain drain{MacBank::kLanes, 4};
  EXPECT_THROW(unit.clock(&dot, nullptr), InternalError);
  EXPECT_THROW(unit.clock(nullptr, &drain), InternalError);
}

// The codes of bank_mac_pkg.sv are those of MacOp.
TEST(VerilatedMac, KnowsTheOperationsByTheCodesOfThePackage) {
  std::ifstream package(LOCKSTEP_SOURCE_DIR "/rtl/bank_mac_pkg.sv");
  std::stringstream text;
  text << package.rdbuf();
  const std::pair<const char*, MacOp> kNames[kMacOps] = {
      {"OpDot", MacOp::kDot},
      {"OpAxpy", MacOp::kAxpy},
      {"OpLoadScalars", MacOp::kLoadScalars},
      {"OpClearScores", MacOp::kClearScores},
      {"OpClearLanes", MacOp::kClearLanes},
  };
  for (const auto& [name, op] : kNames) {
    const std::string line =
        std::string(name) + " = 3'd" + std::to_string(static_cast<int>(op)) + ";";
    EXPECT_NE(text.str().find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace lockstep
