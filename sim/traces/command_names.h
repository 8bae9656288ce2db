// What the commands are called elsewhere. DRAM commands have the names of their formats; the PIM
// commands, which those tools do not know, are named in their manner.
#pragma once

#include <array>
#include <string_view>

#include "hw/dram/command.h"

namespace lockstep {

struct CommandNames {
  Cmd cmd;
  std::string_view dramsim3;   // DRAMsim3, Command::operator<<
  std::string_view ramulator;  // Ramulator 2, HBM3
  std::string_view phase;      // DRAMSys: the phase that a PIM command is drawn as
};

constexpr std::array<CommandNames, kCmdCount> kCommandNames = {{
    // clang-format off
    {Cmd::ACT,   "activate",             "ACT",   "ACT"},
    {Cmd::PREpb, "precharge",            "PRE",   "PREPB"},
    {Cmd::PREab, "precharge_all",        "PREA",  "PREAB"},
    {Cmd::RD,    "read",                 "RD",    "RD"},
    {Cmd::RDA,   "read_p",               "RDA",   "RDA"},
    {Cmd::WR,    "write",                "WR",    "WR"},
    {Cmd::WRA,   "write_p",              "WRA",   "WRA"},
    {Cmd::REFab, "refresh",              "REFab", "REFAB"},
    {Cmd::REFpb, "refresh_bank",         "REFsb", "REFPB"},
    {Cmd::ACTab, "activate_all",         "ACTab", "ACT"},
    {Cmd::MACab, "mac_all",              "MACab", "RD"},
    {Cmd::ACTsb, "activate_same_bank",   "ACTsb", "ACT"},
    {Cmd::MACsb, "mac_same_bank",        "MACsb", "RD"},
    {Cmd::PREsb, "precharge_same_bank",  "PREsb", "PRESB"},
    {Cmd::WRGB,  "write_global_buffer",  "WRGB",  "WR"},
    {Cmd::MVSB,  "move_from_banks",      "MVSB",  "RD"},
    {Cmd::MVGB,  "move_to_banks",        "MVGB",  "WR"},
    {Cmd::SFM,   "softmax",              "SFM",   "RD"},
    // clang-format on
}};

constexpr bool name_rows_match_enumerators() {
  for (std::size_t i = 0; i < kCmdCount; ++i) {
    if (kCommandNames[i].cmd != static_cast<Cmd>(i)) return false;
  }
  return true;
}
static_assert(name_rows_match_enumerators(), "kCommandNames lists every Cmd, in enumerator order");

constexpr const CommandNames& names_of_command(Cmd cmd) {
  return kCommandNames[static_cast<std::size_t>(cmd)];
}

// The command a record names. InternalError if there is none: writers get what controllers issue.
Cmd command_of(std::string_view name);

}  // namespace lockstep
