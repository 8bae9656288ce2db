// Rules that are no distances: what rows must be open, how often a bank is refreshed, what the time
// of a line must be.
#include <gtest/gtest.h>

#include "tests/sim/check/check_stack.h"

namespace lockstep {
namespace {

// The text of the report without its summary.
std::string violations(const std::vector<Written>& commands, const StackConfig& config) {
  std::string text;
  for (const auto& violation : check_text(csv_of(commands, config), config).listed)
    text += std::to_string(violation.line) + ": " + violation.text + "\n";
  return text;
}

TEST(StateRules, ForbidTwoRowsInOneBank) {
  EXPECT_EQ(violations({{10, "ACT", 1, 2, 5}, {100, "ACT", 1, 2, 6}}, check_stack()),
            "3: rule bank open: ACT reaches a bank that has row 5 open since ACT (line 2)\n");
  EXPECT_EQ(violations({{10, "ACT", 1, 2, 5}, {100, "ACTab", -1, -1, 6}}, check_stack()),
            "3: rule bank open: ACTab reaches a bank that has row 5 open since ACT (line 2)\n");
  EXPECT_EQ(violations({{10, "ACTab", -1, -1, 5}, {100, "ACT", 1, 2, 5}}, check_stack()),
            "3: rule bank open: ACT reaches a bank that has row 5 open since ACTab (line 2)\n");
}

TEST(StateRules, ForbidColumnCommandsToClosedBanks) {
  EXPECT_EQ(violations({{10, "RD", 1, 2, 5}}, check_stack()),
            "2: rule row closed: RD reaches a bank without an open row\n");
  EXPECT_EQ(violations({{10, "ACT", 1, 2, 5}, {100, "RDA", 1, 2, 5}, {200, "RD", 1, 2, 5}},
                       check_stack()),
            "4: rule row closed: RD reaches a bank without an open row\n");
  EXPECT_EQ(violations({{10, "ACTab", -1, -1, 5}, {100, "PREpb", 3, 3}, {200, "MACab", -1, -1, 5}},
                       check_stack()),
            "4: rule row closed: MACab reaches a bank without an open row\n");
}

TEST(StateRules, ForbidAccessToAnotherRowThanTheOpenOne) {
  EXPECT_EQ(violations({{10, "ACT", 1, 2, 5}, {100, "WR", 1, 2, 6}}, check_stack()),
            "3: rule wrong row: WR wants row 6, open is row 5 since ACT (line 2)\n");
  EXPECT_EQ(violations({{10, "ACTab", -1, -1, 5}, {100, "MACab", -1, -1, 6}}, check_stack()),
            "3: rule wrong row: MACab wants row 6, open is row 5 since ACTab (line 2)\n");
}

TEST(StateRules, WantTheSameRowInAllBanksOfAMac) {
  EXPECT_EQ(violations({{10, "ACTab", -1, -1, 5},
                        {100, "PREpb", 3, 3},
                        {200, "ACT", 3, 3, 6},
                        {300, "MACab", -1, -1, 5}},
                       check_stack()),
            "5: rule mixed rows: MACab finds rows 5 and 6 open\n");
}

TEST(StateRules, LetAMacUseRowsThatSingleCommandsOpened) {
  StackConfig config = check_stack();
  config.geometry.bank_groups = 2;
  config.geometry.banks = 2;
  EXPECT_EQ(violations({{10, "ACT", 0, 0, 5},
                        {20, "ACT", 0, 1, 5},
                        {30, "ACT", 1, 0, 5},
                        {40, "ACT", 1, 1, 5},
                        {100, "MACab", -1, -1, 5},
                        {200, "RD", 1, 1, 5}},
                       config),
            "");
}

TEST(StateRules, LetAMacGoOnInTheSecondRowBuffer) {
  StackConfig config = check_stack();
  config.controller.timing.pim.overlap = RowOverlap::kDualRowBuffer;
  EXPECT_EQ(violations({{10, "ACTab", -1, -1, 5},
                        {50, "MACab", -1, -1, 5},
                        {55, "PREab"},
                        {56, "MACab", -1, -1, 5},
                        {80, "ACTab", -1, -1, 6},
                        {98, "MACab", -1, -1, 5}},
                       config),
            "");
  // Nothing took row 5 there before it was closed.
  EXPECT_EQ(violations({{10, "ACTab", -1, -1, 5}, {55, "PREab"}, {56, "MACab", -1, -1, 5}}, config),
            "4: rule row closed: MACab reaches a bank without an open row\n");
}

TEST(StateRules, KeepTheHalvesOfTheBanksApart) {
  StackConfig config = check_stack();
  config.controller.timing.pim.overlap = RowOverlap::kHalfScope;
  EXPECT_EQ(violations({{10, "ACTab", 0, -1, 5},
                        {40, "ACTab", 2, -1, 6},
                        {100, "MACab", 0, -1, 5},
                        {103, "MACab", 2, -1, 6},
                        {200, "PREab", 2},
                        {210, "MACab", 0, -1, 5}},
                       config),
            "");
  EXPECT_EQ(violations({{10, "ACTab", 0, -1, 5}, {100, "MACab", 2, -1, 5}}, config),
            "3: rule row closed: MACab reaches a bank without an open row\n");
}

TEST(StateRules, ForbidRefreshOfOpenBanks) {
  EXPECT_EQ(violations({{10, "ACT", 1, 2, 5}, {100, "REFab"}}, check_stack()),
            "3: rule refresh open: REFab reaches a bank that has row 5 open since ACT (line 2)\n");
  EXPECT_EQ(
      violations({{10, "ACTab", -1, -1, 5}, {100, "REFpb", 2, 1}}, check_stack()),
      "3: rule refresh open: REFpb reaches a bank that has row 5 open since ACTab (line 2)\n");
  EXPECT_EQ(violations({{10, "ACT", 1, 2, 5}, {100, "REFpb", 2, 1}}, check_stack()), "");
}

TEST(StateRules, KeepPseudoChannelsApart) {
  EXPECT_EQ(violations({{10, "ACTab", -1, -1, 5}, {10, "ACTab", -1, -1, 6, 0, 1}}, check_stack()),
            "");
}

TEST(StateRules, WantEveryRefreshWithinThePostponementLimit) {
  StackConfig config = check_stack();
  config.controller.refresh = {RefreshMode::kAllBank, 1, 0};
  // The first is due at 5070, may be postponed once, and is one interval behind at 3 * 5070.
  EXPECT_EQ(violations({{15210, "ACT", 0, 0, 5}}, config), "");
  EXPECT_EQ(violations({{15211, "ACT", 0, 0, 5}}, config),
            "2: rule nREFI late: bank 0 of channel 0 has had 0 refreshes; number 1 was due "
            "by cycle 15210, and this is cycle 15211\n");
  EXPECT_EQ(violations({{15000, "REFab"}, {20281, "ACT", 0, 0, 5}}, config),
            "3: rule nREFI late: bank 0 of channel 0 has had 1 refreshes; number 2 was due "
            "by cycle 20280, and this is cycle 20281\n");
}

TEST(StateRules, MissRefreshesOfAChannelThatFellSilent) {
  StackConfig config = check_stack();
  config.controller.refresh = {RefreshMode::kAllBank, 0, 0};
  std::vector<Written> commands = {{5070, "REFab"}, {5070, "REFab", -1, -1, -1, -1, 1}};
  for (std::int64_t n = 2; n <= 4; ++n) commands.push_back({n * 5070, "REFab"});
  EXPECT_EQ(violations(commands, config),
            "6: rule nREFI late: bank 0 of channel 1 has had 1 refreshes; number 2 was due "
            "by cycle 15210, and the trace ends at cycle 20280\n");
}

TEST(StateRules, WantEachBankRefreshedInItsTurn) {
  StackConfig config = check_stack();
  config.geometry.bank_groups = 1;
  config.geometry.banks = 2;
  config.controller.refresh = {RefreshMode::kPerBank, 0, 0};
  std::vector<Written> fair, unfair;
  for (std::int64_t n = 1; n <= 7; ++n) {
    fair.push_back({n * 2535, "REFpb", 0, static_cast<int>(n % 2)});
    unfair.push_back({n * 2535, "REFpb", 0, n == 2 ? 0 : 1});
  }
  EXPECT_EQ(violations(fair, config), "");
  EXPECT_NE(violations(unfair, config).find("rule nREFI late: bank 0"), std::string::npos);
}

TEST(StateRules, WantTheTimeToBeThatOfTheCycle) {
  // At 1.3 GHz cycle 13 is at 10,000 ps.
  const char* const header = "ps,cycle,channel,command,bank_group,bank,row,column,source\n";
  for (const char* ps : {"9999", "10000", "10001"}) {
    EXPECT_EQ(
        check_text(header + std::string(ps) + ",13,0,PREab,,,,,pim\n", check_stack()).violations, 0)
        << ps;
  }
  const auto report = check_text(header + std::string("10002,13,0,PREab,,,,,pim\n"), check_stack());
  ASSERT_EQ(report.violations, 1);
  EXPECT_EQ(report.listed[0].text, "rule time: cycle 13 is at 10000 ps, found 10002");
}

TEST(StateRules, AreReportedAsJson) {
  const auto report = check_text(csv_of({{10, "RD", 1, 2, 5}}, check_stack()), check_stack());
  EXPECT_EQ(json_of(report), R"({
  "schema": "lockstep-check-1",
  "file": "trace.csv",
  "lines": 2,
  "commands": 1,
  "rules": 37,
  "violations": 1,
  "by_rule": {
    "row closed": 1
  },
  "listed": [
    {
      "line": 2,
      "rule": "row closed",
      "needed_ck": 0,
      "found_ck": 0,
      "earlier_line": 0,
      "text": "rule row closed: RD reaches a bank without an open row"
    }
  ]
}
)");
}

}  // namespace
}  // namespace lockstep
