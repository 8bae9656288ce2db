// Each distance at exactly its limit is legal, and a clock less breaks that rule and no other. The
// limits are worked out by hand from the parameters of check_stack.h.
#include <set>

#include <gtest/gtest.h>

#include "tests/sim/check/check_stack.h"

namespace lockstep {
namespace {

using Commands = std::vector<Written>;

struct Planted {
  Rule rule;
  const char* what;
  std::int64_t limit;
  Commands (*trace)(std::int64_t distance);
  void (*change)(StackConfig&) = [](StackConfig&) {};
};

void two_sids(StackConfig& config) {
  set_scope(config, AllBankScope::kPseudoChannel, StackIdScope::kAll, 2);
}
void whole_channel(StackConfig& config) {
  set_scope(config, AllBankScope::kChannel, StackIdScope::kAll, 1);
}
void sid_alone(StackConfig& config) {
  set_scope(config, AllBankScope::kPseudoChannel, StackIdScope::kOne, 2);
}
void staggered(StackConfig& config) {
  config.controller.timing.pim.act_ab = ActAbPower::kStaggered;
}
void wide_window(StackConfig& config) {
  staggered(config);
  config.controller.timing.dram.nFAW = {200};
}
void short_ccd(StackConfig& config) {
  config.controller.timing.dram.nCCDS = {1};
}
void dual_buffers(StackConfig& config) {
  config.controller.timing.pim.overlap = RowOverlap::kDualRowBuffer;
}
void halves(StackConfig& config) {
  config.controller.timing.pim.overlap = RowOverlap::kHalfScope;
}
void switching(StackConfig& config) {
  config.controller.timing.pim.n_mode_switch = {12};
}
void refreshing(StackConfig& config) {
  config.controller.refresh = {RefreshMode::kAllBank, 0, 0};
}
void pulling_in(StackConfig& config) {
  config.controller.refresh = {RefreshMode::kAllBank, 0, 2};
}
void refreshing_banks(StackConfig& config) {
  config.controller.refresh = {RefreshMode::kPerBank, 0, 0};
}

using D = std::int64_t;
const Planted kPlanted[] = {
    // clang-format off
    {Rule::kOrder,     "time within a domain",       0, [](D d) { return Commands{{10, "ACT", 0, 0, 5}, {10 + d, "ACT", 0, 0, 5, 0, 1}}; }, whole_channel},
    {Rule::kRowSlot,   "row commands",               1, [](D d) { return Commands{{10, "ACT", 0, 0, 5}, {10 + d, "PREpb", 1, 0}}; }},
    {Rule::kRowSlot,   "of the other pseudo channel", 1, [](D d) { return Commands{{10, "PREpb", 0, 0, -1, 0, 1}, {10 + d, "PREab"}}; }, whole_channel},
    {Rule::kColumnSlot, "column commands",           1, [](D d) { return Commands{{10, "WRGB"}, {10 + d, "SFM"}}; }},

    {Rule::kRCDRD, "ACT RD",       19, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {10 + d, "RD", 1, 2, 5}}; }},
    {Rule::kRCDRD, "ACT RDA",      19, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {10 + d, "RDA", 1, 2, 5}}; }},
    {Rule::kRCDRD, "ACTab MACab",  19, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {10 + d, "MACab", -1, -1, 5}}; }},
    {Rule::kRCDRD, "ACTab RD",     19, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {10 + d, "RD", 3, 3, 5}}; }},
    {Rule::kRCDRD, "ACTsb MACsb",  19, [](D d) { return Commands{{10, "ACTsb", -1, 2, 5}, {10 + d, "MACsb", -1, 2, 5}}; }},
    {Rule::kRCDRD, "ACTab over a channel, RD in its second half", 19, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {10 + d, "RD", 3, 3, 5, 0, 1}}; }, whole_channel},
    {Rule::kRCDRD, "ACTab over all SIDs", 19, [](D d) { return Commands{{10, "ACTab", -1, -1, 5, 0}, {10 + d, "RD", 3, 3, 5, 1}}; }, two_sids},
    {Rule::kRCDRD, "staggered: 3 nFAW later", 117 + 19, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {10 + d, "MACab", -1, -1, 5}}; }, staggered},
    {Rule::kRCDWR, "ACT WR",       18, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {10 + d, "WR", 1, 2, 5}}; }},
    {Rule::kRCDWR, "ACTab WRA",    18, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {10 + d, "WRA", 1, 2, 5}}; }},
    {Rule::kRAS,   "ACT PREpb",    45, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {10 + d, "PREpb", 1, 2}}; }},
    {Rule::kRAS,   "ACT PREab",    45, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {10 + d, "PREab"}}; }},
    {Rule::kRAS,   "ACTab PREpb",  45, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {10 + d, "PREpb", 3, 3}}; }},
    {Rule::kRAS,   "ACTsb PREsb",  45, [](D d) { return Commands{{10, "ACTsb", -1, 1, 5}, {10 + d, "PREsb", -1, 1}}; }},
    {Rule::kRAS,   "staggered",   117 + 45, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {10 + d, "PREab"}}; }, staggered},
    {Rule::kRP,    "PREpb ACT",    19, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {100, "PREpb", 1, 2}, {100 + d, "ACT", 1, 2, 6}}; }},
    {Rule::kRP,    "PREpb ACTab",  19, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {100, "PREpb", 1, 2}, {100 + d, "ACTab", -1, -1, 6}}; }},
    {Rule::kRP,    "PREab ACT",    19, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "PREab"}, {100 + d, "ACT", 1, 2, 6}}; }},
    {Rule::kRP,    "PREab REFab",  19, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "PREab"}, {100 + d, "REFab"}}; }},
    {Rule::kRP,    "PREpb REFpb",  19, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {100, "PREpb", 1, 2}, {100 + d, "REFpb", 1, 2}}; }},
    {Rule::kRP,    "after RDA: nRTP + nRP", 8 + 19, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {100, "RDA", 1, 2, 5}, {100 + d, "ACT", 1, 2, 6}}; }},
    {Rule::kRP,    "after WRA: 6 + 2 + nWR + nRP", 8 + 21 + 19, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {100, "WRA", 1, 2, 5}, {100 + d, "REFab"}}; }},
    {Rule::kRP,    "the last precharge counts", 19, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {100, "PREpb", 1, 2}, {110, "PREab"}, {110 + d, "ACT", 1, 2, 6}}; }},
    {Rule::kRC,    "ACT ACT",      70, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {55, "PREpb", 1, 2}, {10 + d, "ACT", 1, 2, 6}}; }},
    {Rule::kRC,    "ACT ACTab",    70, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {55, "PREpb", 1, 2}, {10 + d, "ACTab", -1, -1, 6}}; }},
    {Rule::kRC,    "ACTab REFab",  70, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {55, "PREab"}, {10 + d, "REFab"}}; }},
    {Rule::kRC,    "RDA closes only after nRAS", 70, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {29, "RDA", 1, 2, 5}, {10 + d, "ACT", 1, 2, 6}}; }},

    {Rule::kRRDS, "other group",    2, [](D d) { return Commands{{10, "ACT", 0, 0, 5}, {10 + d, "ACT", 1, 0, 5}}; }},
    {Rule::kRRDS, "other SID",      2, [](D d) { return Commands{{10, "ACT", 0, 0, 5, 0}, {10 + d, "ACT", 0, 0, 5, 1}}; }, two_sids},
    {Rule::kRRDS, "ACT ACTab",      2, [](D d) { return Commands{{10, "ACT", 0, 0, 5, 1}, {10 + d, "ACTab", -1, -1, 5, 0}}; }, sid_alone},
    {Rule::kRRDL, "same group",     4, [](D d) { return Commands{{10, "ACT", 0, 0, 5}, {10 + d, "ACT", 0, 1, 5}}; }},
    {Rule::kRRDL, "ACT REFpb",      4, [](D d) { return Commands{{10, "ACT", 0, 0, 5}, {10 + d, "REFpb", 1, 0}}; }},
    {Rule::kFAW,  "the fifth ACT", 39, [](D d) { return Commands{{10, "ACT", 0, 0, 5}, {12, "ACT", 1, 0, 5}, {14, "ACT", 2, 0, 5}, {16, "ACT", 3, 0, 5}, {10 + d, "ACT", 0, 1, 5}}; }},
    {Rule::kFAW,  "ACTsb ACTsb",   39, [](D d) { return Commands{{10, "ACTsb", -1, 0, 5}, {10 + d, "ACTsb", -1, 1, 5}}; }},
    {Rule::kFAW,  "ACTsb ACT",     39, [](D d) { return Commands{{10, "ACTsb", -1, 0, 5}, {10 + d, "ACT", 2, 1, 5}}; }},
    {Rule::kFAW,  "ACT ACTsb",     39, [](D d) { return Commands{{10, "ACT", 2, 1, 5}, {10 + d, "ACTsb", -1, 0, 5}}; }},
    {Rule::kFAW,  "ACT ACTab",    200, [](D d) { return Commands{{10, "ACT", 2, 1, 5}, {60, "PREpb", 2, 1}, {10 + d, "ACTab", -1, -1, 5}}; }, wide_window},
    {Rule::kFAW,  "ACTab ACT: 16 banks take 4 windows", 800, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {655, "PREab"}, {10 + d, "ACT", 2, 1, 5}}; }, wide_window},

    {Rule::kCCDS,  "RD RD",         2, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "RD", 0, 0, 5}, {100 + d, "RD", 1, 0, 5}}; }},
    {Rule::kCCDS,  "WR WR",         2, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "WR", 0, 0, 5}, {100 + d, "WR", 1, 0, 5}}; }},
    {Rule::kCCDS,  "RD WRGB",       2, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "RD", 0, 0, 5}, {100 + d, "WRGB"}}; }},
    {Rule::kCCDS,  "MVGB WR",       2, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MVGB", 0, 0}, {100 + d, "WR", 1, 0, 5}}; }},
    {Rule::kCCDS,  "WRGB MVSB",     2, [](D d) { return Commands{{100, "WRGB", 0, 0}, {100 + d, "MVSB", 1, 0}}; }},
    {Rule::kCCDL,  "RD RD",         4, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "RD", 0, 0, 5}, {100 + d, "RD", 0, 1, 5}}; }},
    {Rule::kCCDL,  "WR WRA",        4, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "WR", 0, 0, 5}, {100 + d, "WRA", 0, 1, 5}}; }},
    {Rule::kCCDL,  "RD MACab",      4, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "RD", 0, 0, 5}, {100 + d, "MACab", -1, -1, 5}}; }},
    {Rule::kCCDL,  "MACab WR",      4, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MACab", -1, -1, 5}, {100 + d, "WR", 3, 1, 5}}; }},
    {Rule::kCCDL,  "MACsb RD",      4, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MACsb", -1, 0, 5}, {100 + d, "RD", 3, 1, 5}}; }},
    {Rule::kCCDL,  "RD MVSB",       4, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "RD", 0, 0, 5}, {100 + d, "MVSB", 0, 1}}; }},
    {Rule::kCCDL,  "MVSB MVGB",     4, [](D d) { return Commands{{100, "MVSB", 0, 0}, {100 + d, "MVGB", 0, 1}}; }},
    {Rule::kCCDR,  "RD RD",         3, [](D d) { return Commands{{10, "ACTab", -1, -1, 5, 0}, {100, "RD", 0, 0, 5, 0}, {100 + d, "RD", 0, 0, 5, 1}}; }, two_sids},
    {Rule::kCCDAB, "MACab MACab",   6, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MACab", -1, -1, 5}, {100 + d, "MACab", -1, -1, 5}}; }},
    {Rule::kCCDAB, "MACab MACsb",   6, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MACab", -1, -1, 5}, {100 + d, "MACsb", -1, 0, 5}}; }},
    {Rule::kCCDSB, "MACsb MACsb",   7, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MACsb", -1, 0, 5}, {100 + d, "MACsb", -1, 1, 5}}; }},
    {Rule::kCCDSB, "MACsb MACab",   7, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MACsb", -1, 0, 5}, {100 + d, "MACab", -1, -1, 5}}; }},
    {Rule::kRTP,   "RD PREpb",      8, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {100, "RD", 1, 2, 5}, {100 + d, "PREpb", 1, 2}}; }},
    {Rule::kRTP,   "MACab PREab",   8, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MACab", -1, -1, 5}, {100 + d, "PREab"}}; }},
    {Rule::kRTP,   "MACsb PREpb",   8, [](D d) { return Commands{{10, "ACTsb", -1, 1, 5}, {100, "MACsb", -1, 1, 5}, {100 + d, "PREpb", 3, 1}}; }},
    {Rule::kWR,    "WR PREpb: 6 + 2 + nWR", 8 + 21, [](D d) { return Commands{{10, "ACT", 1, 2, 5}, {100, "WR", 1, 2, 5}, {100 + d, "PREpb", 1, 2}}; }},
    {Rule::kWR,    "WR PREab",      8 + 21, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "WR", 1, 2, 5}, {100 + d, "PREab"}}; }},
    {Rule::kWTRS,  "WR RD: 6 + 2 + nWTRS", 8 + 8, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "WR", 0, 0, 5}, {100 + d, "RD", 1, 0, 5}}; }},
    {Rule::kWTRL,  "WR RD",         8 + 11, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "WR", 0, 0, 5}, {100 + d, "RD", 0, 1, 5}}; }},
    {Rule::kWTRL,  "WR MACab",      8 + 11, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "WR", 0, 0, 5}, {100 + d, "MACab", -1, -1, 5}}; }},
    {Rule::kRTW,   "RD WR: nCL + nBL + nRTW - nCWL", 19 + 2 + 3 - 6, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "RD", 0, 0, 5}, {100 + d, "WR", 1, 0, 5}}; }},
    {Rule::kDataBus, "bursts of 2 at nCCDS 1", 2, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "RD", 0, 0, 5}, {100 + d, "RD", 1, 0, 5}}; }, short_ccd},

    {Rule::kRFC,   "REFab ACT",   456, [](D d) { return Commands{{10, "REFab"}, {10 + d, "ACT", 0, 0, 5}}; }},
    {Rule::kRFC,   "REFab ACTab of the channel", 456, [](D d) { return Commands{{10, "REFab", -1, -1, -1, -1, 1}, {10 + d, "ACTab", -1, -1, 5}}; }, whole_channel},
    {Rule::kRFC,   "REFab REFpb", 456, [](D d) { return Commands{{10, "REFab"}, {10 + d, "REFpb", 0, 0}}; }},
    {Rule::kRFC,   "REFab REFab", 456, [](D d) { return Commands{{10, "REFab"}, {10 + d, "REFab"}}; }},
    {Rule::kRFCpb, "REFpb ACT",   260, [](D d) { return Commands{{10, "REFpb", 0, 0}, {10 + d, "ACT", 0, 0, 5}}; }},
    {Rule::kRFCpb, "REFpb ACTab", 260, [](D d) { return Commands{{10, "REFpb", 0, 0}, {10 + d, "ACTab", -1, -1, 5}}; }},
    {Rule::kRFCpb, "REFpb REFab", 260, [](D d) { return Commands{{10, "REFpb", 0, 0}, {10 + d, "REFab"}}; }},
    {Rule::kRREFD, "REFpb ACT",     9, [](D d) { return Commands{{10, "REFpb", 0, 0}, {10 + d, "ACT", 1, 0, 5}}; }},
    {Rule::kRREFD, "REFpb REFpb",   9, [](D d) { return Commands{{10, "REFpb", 0, 0}, {10 + d, "REFpb", 1, 0}}; }},
    {Rule::kRefreshEarly, "REFab", 5070, [](D d) { return Commands{{d, "REFab"}}; }, refreshing},
    {Rule::kRefreshEarly, "the third REFab, 2 pulled in", 5070, [](D d) { return Commands{{10, "REFab"}, {2000, "REFab"}, {d, "REFab"}}; }, pulling_in},
    {Rule::kRefreshEarly, "the second REFpb of a bank", 5070, [](D d) { return Commands{{10, "REFpb", 0, 0}, {d, "REFpb", 0, 0}}; }, refreshing_banks},

    {Rule::kUnitLatency,   "MACab MVSB", 20, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MACab", -1, -1, 5}, {100 + d, "MVSB", 0, 0}}; }},
    {Rule::kMoveLatency, "WRGB MACab", 30, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "WRGB"}, {100 + d, "MACab", -1, -1, 5}}; }},
    {Rule::kMoveLatency, "MVGB MACsb", 30, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {100, "MVGB", 0, 0}, {100 + d, "MACsb", -1, 0, 5}}; }},
    {Rule::kRCDRD, "of the next row in the second buffer", 19, [](D d) { return Commands{{10, "ACTab", -1, -1, 5}, {50, "MACab", -1, -1, 5}, {55, "PREab"}, {80, "ACTab", -1, -1, 6}, {80 + d, "MACab", -1, -1, 6}}; }, dual_buffers},
    {Rule::kCCDAB, "of the two halves", 3, [](D d) { return Commands{{10, "ACTab", 0, -1, 5}, {40, "ACTab", 2, -1, 6}, {100, "MACab", 0, -1, 5}, {100 + d, "MACab", 2, -1, 6}}; }, halves},
    {Rule::kCCDL,  "of the same half",  4, [](D d) { return Commands{{10, "ACTab", 0, -1, 5}, {40, "ACTab", 2, -1, 6}, {100, "MACab", 0, -1, 5}, {100 + d, "MACab", 0, -1, 5}}; }, halves},
    {Rule::kFAW,   "ACTsb of a half opens two", 39, [](D d) { return Commands{{10, "ACTsb", 0, 0, 5}, {12, "ACTsb", 2, 0, 5}, {10 + d, "ACTsb", 0, 1, 5}}; }, halves},
    {Rule::kSoftmaxInputs, "MVSB SFM",   30, [](D d) { return Commands{{100, "MVSB", 0, 0}, {100 + d, "SFM"}}; }},
    {Rule::kModeSwitch,    "host to kernel", 12, [](D d) { return Commands{{10, "ACT", 0, 0, 5, 0, 0, "host"}, {10 + d, "WRGB", -1, -1, -1, -1, 0, "pim"}}; }, switching},
    {Rule::kModeSwitch,    "kernel to host", 12, [](D d) { return Commands{{10, "WRGB", -1, -1, -1, -1, 0, "pim"}, {11, "REFpb", 3, 3, -1, -1, 0, "refresh"}, {10 + d, "PREpb", 0, 0, -1, 0, 0, "host"}}; }, switching},
    // clang-format on
};

std::set<Rule> broken(const Planted& planted, std::int64_t distance) {
  StackConfig config = check_stack();
  planted.change(config);
  const auto report = check_text(csv_of(planted.trace(distance), config), config);
  std::set<Rule> rules;
  for (const auto& violation : report.listed) rules.insert(violation.rule);
  return rules;
}

std::string names(const std::set<Rule>& rules) {
  std::string text;
  for (const Rule rule : rules) text += "[" + std::string(traits(rule).name) + "]";
  return text;
}

TEST(DistanceRules, AreKeptAtExactlyTheLimit) {
  for (const auto& planted : kPlanted) {
    EXPECT_EQ(names(broken(planted, planted.limit)), "")
        << traits(planted.rule).name << ": " << planted.what;
  }
}

TEST(DistanceRules, AreBrokenAloneAClockBefore) {
  for (const auto& planted : kPlanted) {
    EXPECT_EQ(names(broken(planted, planted.limit - 1)), names({planted.rule})) << planted.what;
  }
}

TEST(DistanceRules, AreAllPlanted) {
  // The others are no distances: state_rules_test.cpp.
  std::set<Rule> planted = {Rule::kTime,       Rule::kBankOpen,  Rule::kRowClosed,
                            Rule::kWrongRow,   Rule::kMixedRows, Rule::kRefreshOpen,
                            Rule::kRefreshLate};
  for (const auto& row : kPlanted) planted.insert(row.rule);
  EXPECT_EQ(planted.size(), kRuleCount);
}

TEST(DistanceRules, AreReportedWithBothLinesAndBothDistances) {
  const StackConfig config = check_stack();
  const auto report =
      check_text(csv_of({{10, "ACTab", -1, -1, 5}, {27, "MACab", -1, -1, 5}}, config), config);
  EXPECT_EQ(text_of(report),
            "trace.csv:3: rule nRCDRD: MACab needs 19 CK after ACTab (line 2), found 17\n"
            "trace.csv: 2 commands, 37 rules, 1 violations\n"
            "  nRCDRD                 1  activation to a read of the bank, by host or unit\n");
}

}  // namespace
}  // namespace lockstep
