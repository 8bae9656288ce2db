// Minimum delays between commands, as data. A row reads: at this level, after any of `before`, none
// of `after` for `latency`. To add a constraint: one row. The tests walk this table.
#pragma once

#include <string_view>

#include "hw/dram/command.h"
#include "hw/dram/pim_timing.h"
#include "hw/dram/timing.h"
#include "hw/dram/topology.h"

namespace lockstep {

enum class Relation : std::uint8_t { kSame, kOther };  // the same node, or every other of its level

// What a latency may depend on.
struct TimingSet {
  Timing dram;
  PimTiming pim;
  int banks_per_sid = 16;

  // ACTab opens four banks of each SID at once and, when staggered, the last ones this much later.
  constexpr Cycles act_ab_spread() const {
    return pim.act_ab == ActAbPower::kSimultaneous ? Cycles{0}
                                                   : ((banks_per_sid + 3) / 4 - 1) * dram.nFAW;
  }
  constexpr Cycles act_ab_to_mac() const { return act_ab_spread() + dram.nRCDRD; }
  // When staggered, four ACT of ACTab fill a tFAW window of their own.
  constexpr Cycles act_ab_window() const {
    return pim.act_ab == ActAbPower::kSimultaneous ? Cycles{0} : dram.nFAW;
  }
  // A second row buffer keeps a row's data for MACab whatever happens to the bank: the bank's own
  // delays then do not bind it, and the controller waits for the row to be sensed. MACsb reads the
  // bank's own row.
  constexpr Cycles unless_buffered(Cycles delay) const {
    return pim.overlap == RowOverlap::kDualRowBuffer ? Cycles{0} : delay;
  }
  // Half of the banks draw half of the power: commands of the two halves may be half as far apart,
  // those of one half as far as its banks allow.
  constexpr Cycles mac_to_mac() const {
    return pim.overlap == RowOverlap::kHalfScope ? Cycles{(dram.nCCDAB.count + 1) / 2}
                                                 : dram.nCCDAB;
  }
  constexpr Cycles mac_to_mac_of_half() const {
    if (pim.overlap != RowOverlap::kHalfScope) return {0};
    return dram.nCCDL > mac_to_mac() ? dram.nCCDL : mac_to_mac();
  }
  constexpr Cycles write_data_end() const { return dram.nCWL + dram.nBL; }
};

struct Constraint {
  std::string_view rule;  // JEDEC name, or the name docs/model.md gives it
  Level level;
  CmdSet before;
  CmdSet after;
  Cycles (*latency)(const TimingSet&);
  Relation relation = Relation::kSame;
  int window = 1;  // counts from the window-th last `before`: tFAW is {ACT, ACT} with window 4
  bool of_half = false;  // at kSid: holds in each half of the SID, where it has halves
};

constexpr CmdSet kRowBus = CmdSet::on(Bus::kRow);
constexpr CmdSet kColumnBus = CmdSet::on(Bus::kColumn);
constexpr CmdSet kReads = {Cmd::RD, Cmd::RDA};
constexpr CmdSet kWrites = {Cmd::WR, Cmd::WRA};
constexpr CmdSet kHostColumns = {Cmd::RD, Cmd::RDA, Cmd::WR, Cmd::WRA};
constexpr CmdSet kMacs = {Cmd::MACab, Cmd::MACsb};
constexpr CmdSet kArrayReads = {Cmd::RD, Cmd::RDA, Cmd::MACab, Cmd::MACsb};
constexpr CmdSet kMoves = {Cmd::WRGB, Cmd::MVSB, Cmd::MVGB};
constexpr CmdSet kBusReads = {Cmd::RD, Cmd::RDA, Cmd::MVSB};  // data towards the host side
constexpr CmdSet kBusWrites = {Cmd::WR, Cmd::WRA, Cmd::WRGB, Cmd::MVGB};  // data from it
constexpr CmdSet kOpens = {Cmd::ACT, Cmd::ACTsb, Cmd::ACTab};
constexpr CmdSet kOpensFew = {Cmd::ACT, Cmd::ACTsb};
constexpr CmdSet kCloses = {Cmd::PREpb, Cmd::PREsb, Cmd::PREab};
constexpr CmdSet kRefreshes = {Cmd::REFab, Cmd::REFpb};

// Sources: JESD238 for the DRAM rows; docs/model.md for the rows of the PIM commands, which follow
// the rule of the DRAM command they resemble in every bank they touch.
constexpr Constraint kHbm3Constraints[] = {
    // clang-format off
    // Command buses: one row command and one column command per clock and pseudo channel.
    {"row bus",    Level::kPseudoChannel, kRowBus,    kRowBus,    [](const TimingSet&) { return Cycles{1}; }},
    {"column bus", Level::kPseudoChannel, kColumnBus, kColumnBus, [](const TimingSet&) { return Cycles{1}; }},

    // Data bus of the pseudo channel: host data and moves to and from the buffer die.
    {"nCCDS", Level::kPseudoChannel, kBusReads,  kBusReads,  [](const TimingSet& t) { return t.dram.nCCDS; }},
    {"nCCDS", Level::kPseudoChannel, kBusWrites, kBusWrites, [](const TimingSet& t) { return t.dram.nCCDS; }},
    {"nCCDS", Level::kPseudoChannel, {Cmd::MVSB}, kBusWrites, [](const TimingSet& t) { return t.dram.nCCDS; }},
    {"nCCDS", Level::kPseudoChannel, kBusWrites, {Cmd::MVSB}, [](const TimingSet& t) { return t.dram.nCCDS; }},
    {"nCCDS", Level::kPseudoChannel, kReads, {Cmd::WRGB, Cmd::MVGB}, [](const TimingSet& t) { return t.dram.nCCDS; }},
    {"nCCDS", Level::kPseudoChannel, {Cmd::WRGB, Cmd::MVGB}, kReads, [](const TimingSet& t) { return t.dram.nCCDS; }},
    {"nCCDR", Level::kSid,       kReads,  kReads,  [](const TimingSet& t) { return t.dram.nCCDR; }, Relation::kOther},
    {"nCCDL", Level::kBankGroup, kReads,  kReads,  [](const TimingSet& t) { return t.dram.nCCDL; }},
    {"nCCDL", Level::kBankGroup, kWrites, kWrites, [](const TimingSet& t) { return t.dram.nCCDL; }},
    {"nCCDL", Level::kBankGroup, kMoves,  kMoves,  [](const TimingSet& t) { return t.dram.nCCDL; }},
    {"nCCDL", Level::kBankGroup, kMoves,  kHostColumns, [](const TimingSet& t) { return t.dram.nCCDL; }},
    {"nCCDL", Level::kBankGroup, kHostColumns, kMoves,  [](const TimingSet& t) { return t.dram.nCCDL; }},
    {"nRTW",  Level::kPseudoChannel, kReads,  kWrites, [](const TimingSet& t) { return t.dram.nCL + t.dram.nBL + t.dram.nRTW - t.dram.nCWL; }},
    {"nWTRS", Level::kPseudoChannel, kWrites, kReads,  [](const TimingSet& t) { return t.write_data_end() + t.dram.nWTRS; }},
    {"nWTRL", Level::kBankGroup, kWrites, kArrayReads, [](const TimingSet& t) { return t.write_data_end() + t.dram.nWTRL; }},

    // PIM column commands share each bank's column path with RD and WR.
    {"nCCDAB", Level::kDomain,    {Cmd::MACab}, {Cmd::MACab}, [](const TimingSet& t) { return t.mac_to_mac(); }},
    {"nCCDL", Level::kSid, {Cmd::MACab}, {Cmd::MACab}, [](const TimingSet& t) { return t.mac_to_mac_of_half(); }, Relation::kSame, /*window=*/1, /*of_half=*/true},
    {"nCCDSB", Level::kDomain,    {Cmd::MACsb}, {Cmd::MACsb}, [](const TimingSet& t) { return t.dram.nCCDSB; }},
    {"nCCDAB", Level::kDomain,    {Cmd::MACab}, {Cmd::MACsb}, [](const TimingSet& t) { return t.dram.nCCDAB; }},
    {"nCCDSB", Level::kDomain,    {Cmd::MACsb}, {Cmd::MACab}, [](const TimingSet& t) { return t.dram.nCCDSB; }},
    {"nCCDL",  Level::kBankGroup, kReads, kMacs,  [](const TimingSet& t) { return t.dram.nCCDL; }},
    {"nCCDL",  Level::kBankGroup, kMacs, kReads,  [](const TimingSet& t) { return t.dram.nCCDL; }},
    {"nCCDL",  Level::kBankGroup, kMacs, kWrites, [](const TimingSet& t) { return t.dram.nCCDL; }},
    {"unit latency", Level::kDomain, kMacs, {Cmd::MVSB}, [](const TimingSet& t) { return t.pim.n_mac_latency; }},
    {"move latency", Level::kDomain, {Cmd::WRGB, Cmd::MVGB}, kMacs, [](const TimingSet& t) { return t.pim.n_move_latency; }},

    // Activation: power limits of a SID.
    {"nRRDS", Level::kPseudoChannel, kOpens,     kOpens, [](const TimingSet& t) { return t.dram.nRRDS; }},
    {"nRRDL", Level::kBankGroup,     kOpens,     kOpensFew, [](const TimingSet& t) { return t.dram.nRRDL; }},
    {"nFAW",  Level::kSid, {Cmd::ACT}, {Cmd::ACT}, [](const TimingSet& t) { return t.dram.nFAW; }, Relation::kSame, /*window=*/4},
    {"nFAW",  Level::kSid, {Cmd::ACT},   {Cmd::ACTsb}, [](const TimingSet& t) { return t.dram.nFAW; }},
    {"nFAW",  Level::kSid, {Cmd::ACTsb}, kOpensFew,    [](const TimingSet& t) { return t.dram.nFAW; }},
    {"nFAW",  Level::kSid, kOpensFew,    {Cmd::ACTab}, [](const TimingSet& t) { return t.act_ab_window(); }},
    {"nFAW",  Level::kSid, {Cmd::ACTab}, kOpensFew,    [](const TimingSet& t) { return t.act_ab_spread() + t.act_ab_window(); }},

    // One bank, whatever opened or closed it.
    {"nRC",    Level::kBank, kOpensFew,     kOpens,       [](const TimingSet& t) { return t.dram.nRC; }},
    {"nRC",    Level::kBank, {Cmd::ACTab},  kOpens,       [](const TimingSet& t) { return t.act_ab_spread() + t.dram.nRC; }},
    {"nRCDRD", Level::kBank, kOpensFew,     kArrayReads,  [](const TimingSet& t) { return t.dram.nRCDRD; }},
    {"nRCDRD", Level::kBank, {Cmd::ACTab},  kReads,       [](const TimingSet& t) { return t.act_ab_spread() + t.dram.nRCDRD; }},
    {"nRCDRD", Level::kBank, {Cmd::ACTab},  {Cmd::MACab}, [](const TimingSet& t) { return t.unless_buffered(t.act_ab_to_mac()); }},
    {"nRCDRD", Level::kBank, {Cmd::ACTab},  {Cmd::MACsb}, [](const TimingSet& t) { return t.act_ab_to_mac(); }},
    {"nRCDWR", Level::kBank, kOpensFew,     kWrites,      [](const TimingSet& t) { return t.dram.nRCDWR; }},
    {"nRCDWR", Level::kBank, {Cmd::ACTab},  kWrites,      [](const TimingSet& t) { return t.act_ab_spread() + t.dram.nRCDWR; }},
    {"nRAS",   Level::kBank, kOpensFew,     kCloses,      [](const TimingSet& t) { return t.dram.nRAS; }},
    {"nRAS",   Level::kBank, {Cmd::ACTab},  kCloses,      [](const TimingSet& t) { return t.act_ab_spread() + t.dram.nRAS; }},
    {"nRTP",   Level::kBank, kReads,        kCloses,      [](const TimingSet& t) { return t.dram.nRTP; }},
    {"nRTP",   Level::kBank, {Cmd::MACab},  kCloses,      [](const TimingSet& t) { return t.unless_buffered(t.dram.nRTP); }},
    {"nRTP",   Level::kBank, {Cmd::MACsb},  kCloses,      [](const TimingSet& t) { return t.dram.nRTP; }},
    {"nWR",    Level::kBank, kWrites,       kCloses,      [](const TimingSet& t) { return t.write_data_end() + t.dram.nWR; }},
    {"nRP",    Level::kBank, kCloses,       kOpens,       [](const TimingSet& t) { return t.dram.nRP; }},
    {"nRP",    Level::kBank, kCloses,       kRefreshes,   [](const TimingSet& t) { return t.dram.nRP; }},
    {"nRTP + nRP", Level::kBank, {Cmd::RDA}, kOpens,      [](const TimingSet& t) { return t.dram.nRTP + t.dram.nRP; }},
    {"nRTP + nRP", Level::kBank, {Cmd::RDA}, kRefreshes,  [](const TimingSet& t) { return t.dram.nRTP + t.dram.nRP; }},
    {"nWR + nRP",  Level::kBank, {Cmd::WRA}, kOpens,      [](const TimingSet& t) { return t.write_data_end() + t.dram.nWR + t.dram.nRP; }},
    {"nWR + nRP",  Level::kBank, {Cmd::WRA}, kRefreshes,  [](const TimingSet& t) { return t.write_data_end() + t.dram.nWR + t.dram.nRP; }},

    // Refresh.
    {"nRC",    Level::kBank,          kOpensFew,    kRefreshes,   [](const TimingSet& t) { return t.dram.nRC; }},
    {"nRC",    Level::kBank,          {Cmd::ACTab}, kRefreshes,   [](const TimingSet& t) { return t.act_ab_spread() + t.dram.nRC; }},
    {"nRFC",   Level::kPseudoChannel, {Cmd::REFab}, kOpens,       [](const TimingSet& t) { return t.dram.nRFC; }},
    {"nRFC",   Level::kPseudoChannel, {Cmd::REFab}, kRefreshes,   [](const TimingSet& t) { return t.dram.nRFC; }},
    {"nRFCpb", Level::kBank,          {Cmd::REFpb}, kOpens,       [](const TimingSet& t) { return t.dram.nRFCpb; }},
    {"nRFCpb", Level::kBank,          {Cmd::REFpb}, kRefreshes,   [](const TimingSet& t) { return t.dram.nRFCpb; }},
    {"nRREFD", Level::kSid,           {Cmd::REFpb}, {Cmd::REFpb, Cmd::ACT, Cmd::ACTsb, Cmd::ACTab}, [](const TimingSet& t) { return t.dram.nRREFD; }},
    {"nRRDL",  Level::kSid,           kOpensFew,    {Cmd::REFpb}, [](const TimingSet& t) { return t.dram.nRRDL; }},
    // clang-format on
};
constexpr std::size_t kHbm3RuleCount = sizeof(kHbm3Constraints) / sizeof(kHbm3Constraints[0]);

}  // namespace lockstep
