// A second witness for every row of the HBM3 table: a short history, and the first clock at which a
// command may follow, worked out by hand. Walking the table cannot tell nRCDRD from nRCDWR; this
// can.
#pragma once

#include <vector>

#include "tests/support/presets.h"

namespace lockstep {

struct IssuedAt {
  Cmd cmd;
  BankAddress at;
  std::int64_t clock;
};

struct Witness {
  const char* arithmetic;  // how the clocks below came about, in the 5.2 Gb/s set
  std::vector<IssuedAt> history;
  Cmd cmd;
  BankAddress at;
  std::int64_t clock_5200;  // first legal clock in hbm3_5200(), MAC units of 30 clocks, moves of 25
  std::int64_t clock_apart;  // first legal clock in told_apart()
  ActAbPower act_ab = ActAbPower::kSimultaneous;
  std::int64_t faw = 0;  // nFAW, where it must exceed nRC for its rule to bind
  RowOverlap overlap = RowOverlap::kNone;
};

// Many of the 5.2 Gb/s values are alike (nCL = nRCDRD = nRCDWR = nRP = 19). Here no two are.
inline TimingSet told_apart() {
  TimingSet set{};
  Timing& t = set.dram;
  t.nBL = {2}, t.nCL = {20}, t.nCWL = {7};
  t.nRCDRD = {23}, t.nRCDWR = {17}, t.nRP = {19}, t.nRAS = {45}, t.nRC = {67};
  t.nCCDS = {3}, t.nCCDL = {5}, t.nCCDR = {4};
  t.nRRDS = {6}, t.nRRDL = {9}, t.nFAW = {41};
  t.nRTP = {11}, t.nWR = {25}, t.nWTRS = {12}, t.nWTRL = {13}, t.nRTW = {10};
  t.nRFC = {456}, t.nREFI = {5070}, t.nRFCpb = {260}, t.nRREFD = {14};
  t.nCCDAB = {8}, t.nCCDSB = {15};
  set.pim.n_mac_latency = {31};
  set.pim.n_move_latency = {26};
  return set;
}

inline std::vector<Witness> timing_witnesses() {
  using C = Cmd;
  constexpr auto kStaggered = ActAbPower::kStaggered;
  constexpr auto kTogether = ActAbPower::kSimultaneous;
  constexpr BankAddress kBank0{0, 0, 0, 0};
  constexpr BankAddress kBank1{0, 0, 0, 1};  // same bank group
  constexpr BankAddress kGroup1{0, 0, 1, 0};
  constexpr BankAddress kGroup2{0, 0, 2, 0};
  constexpr BankAddress kGroup3{0, 0, 3, 0};
  constexpr BankAddress kSid1{0, 1, 0, 0};
  return {
      // clang-format off
      {"row bus: 1",                 {{C::ACT, kBank0, 0}},    C::PREpb, kGroup1, 1, 1},
      {"column bus: 1",              {{C::MACab, kBank0, 0}},  C::MVGB, kBank0, 1, 1},
      {"moves take 25",              {{C::WRGB, kBank0, 0}},   C::MACab, kBank0, 25, 26},
      {"moves take 25",              {{C::MVGB, kBank0, 0}},   C::MACab, kBank0, 25, 26},
      {"nCCDS = 2",                  {{C::RD, kBank0, 0}},     C::RD, kGroup1, 2, 3},
      {"nCCDS = 2",                  {{C::WR, kBank0, 0}},     C::WR, kGroup1, 2, 3},
      {"nCCDS = 2",                  {{C::MVSB, kBank0, 0}},   C::WRGB, kGroup1, 2, 3},
      {"nCCDS = 2",                  {{C::WRGB, kBank0, 0}},   C::MVSB, kGroup1, 2, 3},
      {"nCCDS = 2",                  {{C::RD, kBank0, 0}},     C::WRGB, kGroup1, 2, 3},
      {"nCCDS = 2",                  {{C::WRGB, kBank0, 0}},   C::RD, kGroup1, 2, 3},
      {"nCCDR = 2",                  {{C::RD, kBank0, 0}},     C::RD, kSid1, 2, 4},
      {"nCCDL = 4",                  {{C::RD, kBank0, 0}},     C::RD, kBank1, 4, 5},
      {"nCCDL = 4",                  {{C::WR, kBank0, 0}},     C::WR, kBank1, 4, 5},
      {"nCCDL = 4",                  {{C::WRGB, kBank0, 0}},   C::MVGB, kBank1, 4, 5},
      {"nCCDL = 4",                  {{C::MVSB, kBank0, 0}},   C::RD, kBank1, 4, 5},
      {"nCCDL = 4",                  {{C::WR, kBank0, 0}},     C::MVSB, kBank1, 4, 5},
      {"nCL 19 + nBL 2 + nRTW 3 - nCWL 6", {{C::RD, kBank0, 0}}, C::WR, kGroup1, 18, 25},
      {"nCWL 6 + nBL 2 + nWTRS 8",   {{C::WR, kBank0, 0}},     C::RD, kGroup1, 16, 21},
      {"nCWL 6 + nBL 2 + nWTRL 11",  {{C::WR, kBank0, 0}},     C::RD, kBank1, 19, 22},
      {"nWTRL holds for MACab too",  {{C::WR, kBank0, 0}},     C::MACab, kBank1, 19, 22},
      {"nCCDAB = 6",                 {{C::MACab, kBank0, 0}},  C::MACab, kBank0, 6, 8},
      {"nCCDL = 4, half scope",     {{C::MACab, kBank0, 0}},  C::MACab, kBank0, 4, 5, kTogether, 0, RowOverlap::kHalfScope},
      {"6 / 2, half scope",         {{C::MACab, kBank0, 0}},  C::MACab, kSid1, 3, 4, kTogether, 0, RowOverlap::kHalfScope},
      {"nCCDSB = 6",                 {{C::MACsb, kBank0, 0}},  C::MACsb, kBank1, 6, 15},
      {"nCCDAB = 6",                 {{C::MACab, kBank0, 0}},  C::MACsb, kBank0, 6, 8},
      {"nCCDSB = 6",                 {{C::MACsb, kBank0, 0}},  C::MACab, kBank0, 6, 15},
      {"nCCDL = 4",                  {{C::RD, kBank0, 0}},     C::MACab, kBank0, 4, 5},
      {"nCCDL = 4",                  {{C::MACab, kBank0, 0}},  C::RD, kGroup3, 4, 5},
      {"nCCDL = 4",                  {{C::MACab, kBank0, 0}},  C::WR, kGroup3, 4, 5},
      {"MAC latency 30",             {{C::MACab, kBank0, 0}},  C::MVSB, kGroup2, 30, 31},
      {"nRRDS = 2",                  {{C::ACT, kBank0, 0}},    C::ACT, kGroup1, 2, 6},
      {"nRRDL = 4",                  {{C::ACT, kBank0, 0}},    C::ACT, kBank1, 4, 9},
      {"fifth ACT: nFAW 39 after the first", {{C::ACT, kBank0, 0}, {C::ACT, kGroup1, 9}, {C::ACT, kGroup2, 18}, {C::ACT, kGroup3, 27}},
                                                               C::ACT, kBank1, 39, 41},
      {"ACTsb is four ACT: nFAW 39", {{C::ACT, kBank0, 0}},    C::ACTsb, kBank1, 39, 41},
      {"ACTsb is four ACT: nFAW 39", {{C::ACTsb, kBank0, 0}},  C::ACT, kBank1, 39, 41},
      {"nFAW 80 > nRC 64",           {{C::ACT, kBank0, 0}},    C::ACTab, kBank0, 80, 80, kStaggered, 80},
      {"16 banks in windows of 4: 3 x 80, and one more window", {{C::ACTab, kBank0, 0}},
                                                               C::ACT, kBank0, 320, 320, kStaggered, 80},
      {"nRC 64 > 23 + nRTP 8 + nRP 19", {{C::ACT, kBank0, 0}, {C::RDA, kBank0, 23}}, C::ACT, kBank0, 64, 67},
      {"nRC 64 = nRAS 45 + nRP 19",  {{C::ACTab, kBank0, 0}, {C::PREab, kBank0, 45}}, C::ACTab, kBank0, 64, 67},
      {"3 x nFAW 39 + nRC 64",       {{C::ACTab, kBank0, 0}},  C::ACT, kBank0, 181, 190, kStaggered},
      {"nRCDRD = 19",                {{C::ACT, kBank0, 0}},    C::RD, kBank0, 19, 23},
      {"nRCDRD = 19",                {{C::ACTab, kBank0, 0}},  C::MACab, kBank0, 19, 23},
      {"nRCDRD = 19",                {{C::ACTab, kBank0, 0}},  C::MACsb, kBank0, 19, 23},
      {"nRCDRD = 19, the bank's own row", {{C::ACTab, kBank0, 0}}, C::MACsb, kBank0, 19, 23, kTogether, 0, RowOverlap::kDualRowBuffer},
      {"nRCDRD = 19",                {{C::ACTab, kBank0, 0}},  C::RD, kBank0, 19, 23},
      {"3 x nFAW 39 + nRCDRD 19",    {{C::ACTab, kBank0, 0}},  C::MACab, kBank0, 136, 146, kStaggered},
      {"nRCDWR = 19",                {{C::ACT, kBank0, 0}},    C::WR, kBank0, 19, 17},
      {"nRCDWR = 19",                {{C::ACTab, kBank0, 0}},  C::WR, kGroup3, 19, 17},
      {"nRAS = 45",                  {{C::ACT, kBank0, 0}},    C::PREpb, kBank0, 45, 45},
      {"nRAS = 45",                  {{C::ACTab, kBank0, 0}},  C::PREab, kBank0, 45, 45},
      {"3 x nFAW 39 + nRAS 45",      {{C::ACTab, kBank0, 0}},  C::PREab, kBank0, 162, 168, kStaggered},
      {"nRTP = 8",                   {{C::RD, kBank0, 0}},     C::PREpb, kBank0, 8, 11},
      {"nRTP holds for MACab too",   {{C::MACab, kBank0, 0}},  C::PREab, kBank0, 8, 11},
      {"nRTP holds for MACsb too",   {{C::MACsb, kBank0, 0}},  C::PREsb, kBank0, 8, 11},
      {"nRTP 8, the bank's own row", {{C::MACsb, kBank0, 0}},  C::PREsb, kBank0, 8, 11, kTogether, 0, RowOverlap::kDualRowBuffer},
      {"nCWL 6 + nBL 2 + nWR 21",    {{C::WR, kBank0, 0}},     C::PREpb, kBank0, 29, 34},
      {"nRP = 19",                   {{C::PREpb, kBank0, 0}},  C::ACT, kBank0, 19, 19},
      {"nRP = 19",                   {{C::PREab, kBank0, 0}},  C::REFab, kBank0, 19, 19},
      {"nRTP 8 + nRP 19",            {{C::RDA, kBank0, 0}},    C::ACT, kBank0, 27, 30},
      {"nRTP 8 + nRP 19",            {{C::RDA, kBank0, 0}},    C::REFpb, kBank0, 27, 30},
      {"nCWL 6 + nBL 2 + nWR 21 + nRP 19", {{C::WRA, kBank0, 0}}, C::ACT, kBank0, 48, 53},
      {"nCWL 6 + nBL 2 + nWR 21 + nRP 19", {{C::WRA, kBank0, 0}}, C::REFpb, kBank0, 48, 53},
      {"nRC = 64",                   {{C::ACTab, kBank0, 0}},  C::REFab, kBank0, 64, 67},
      {"nRC 64 > 23 + nRTP 8 + nRP 19", {{C::ACT, kBank0, 0}, {C::RDA, kBank0, 23}}, C::REFpb, kBank0, 64, 67},
      {"nRFC = 456",                 {{C::REFab, kBank0, 0}},  C::ACT, kSid1, 456, 456},
      {"nRFC = 456",                 {{C::REFab, kBank0, 0}},  C::REFab, kBank0, 456, 456},
      {"nRFCpb = 260",               {{C::REFpb, kBank0, 0}},  C::ACT, kBank0, 260, 260},
      {"nRFCpb = 260",               {{C::REFpb, kBank0, 0}},  C::REFpb, kBank0, 260, 260},
      {"nRREFD = 8",                 {{C::REFpb, kBank0, 0}},  C::ACT, kGroup1, 8, 14},
      {"nRRDL = 4",                  {{C::ACT, kBank0, 0}},    C::REFpb, kGroup1, 4, 9},
      // clang-format on
  };
}

}  // namespace lockstep
