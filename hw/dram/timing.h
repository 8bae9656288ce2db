// The timing parameters of one speed bin, in clocks. To add one: a member, and its row below.
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/contract/units.h"

namespace lockstep {

class ConfigSection;

// JEDEC delays in whole clocks. In the YAML file a parameter is either `nRP: 19 CK` or, as a time
// to be rounded up, `tRP: 14 ns`; of both, the one of the later layer (configs/merge.h).
struct Timing {
  Cycles nBL, nCL, nCWL;
  Cycles nRCDRD, nRCDWR, nRP, nRAS, nRC;
  Cycles nCCDS, nCCDL, nCCDR;
  Cycles nRRDS, nRRDL, nFAW;
  Cycles nRTP, nWR, nWTRS, nWTRL, nRTW;
  Cycles nRFC, nREFI, nRFCpb, nRREFD;
  Cycles nCCDAB, nCCDSB;
};

struct TimingField {
  std::string_view name;  // without the leading n or t
  Cycles Timing::*member;
  std::string_view meaning;
  std::int64_t least = 1;  // CK
};

constexpr TimingField kTimingFields[] = {
    // clang-format off
    {"BL",    &Timing::nBL,    "a column access occupies the data bus"},
    {"CL",    &Timing::nCL,    "RD to the first data"},
    {"CWL",   &Timing::nCWL,   "WR to the first data"},
    {"RCDRD", &Timing::nRCDRD, "ACT to RD or MAC"},
    {"RCDWR", &Timing::nRCDWR, "ACT to WR"},
    {"RP",    &Timing::nRP,    "PRE to ACT or REF"},
    {"RAS",   &Timing::nRAS,   "ACT to PRE"},
    {"RC",    &Timing::nRC,    "ACT to ACT of one bank"},
    {"CCDS",  &Timing::nCCDS,  "column to column, other bank group"},
    {"CCDL",  &Timing::nCCDL,  "column to column, same bank group"},
    {"CCDR",  &Timing::nCCDR,  "column to column, other SID"},
    {"RRDS",  &Timing::nRRDS,  "ACT to ACT, other bank group"},
    {"RRDL",  &Timing::nRRDL,  "ACT to ACT, same bank group"},
    {"FAW",   &Timing::nFAW,   "window of at most four ACT of a SID"},
    {"RTP",   &Timing::nRTP,   "RD or MAC to PRE of the bank"},
    {"WR",    &Timing::nWR,    "end of write data to PRE of the bank"},
    {"WTRS",  &Timing::nWTRS,  "end of write data to RD, other bank group"},
    {"WTRL",  &Timing::nWTRL,  "end of write data to RD or MAC, same bank group"},
    {"RTW",   &Timing::nRTW,   "idle clocks of the data bus between read and write data", 0},
    {"RFC",   &Timing::nRFC,   "REFab to the next command of the pseudo channel"},
    {"REFI",  &Timing::nREFI,  "interval of REFab"},
    {"RFCpb", &Timing::nRFCpb, "REFpb to the next command of the bank"},
    {"RREFD", &Timing::nRREFD, "REFpb to REFpb or ACT of another bank"},
    {"CCDAB", &Timing::nCCDAB, "MACab to MACab"},
    {"CCDSB", &Timing::nCCDSB, "MACsb to MACsb"},
    // clang-format on
};
static_assert(sizeof(kTimingFields) / sizeof(kTimingFields[0]) == sizeof(Timing) / sizeof(Cycles),
              "every member of Timing needs a row in kTimingFields");

// A refresh interval of 3.9 us is 39,000 clocks at 10 GHz: what is far beyond is a slip, and sums
// of a few delays stay far from overflow.
constexpr Cycles kLongestDelay{10'000'000};

// Reads every parameter of kTimingFields and checks the rules between them.
Timing read_timing(ConfigSection& section, Hertz clock);

}  // namespace lockstep
