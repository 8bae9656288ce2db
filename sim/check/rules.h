// The rules a command trace must keep, by the name that reports give them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

enum class Rule : std::uint8_t {
  // clang-format off
  kOrder, kTime, kRowSlot, kColumnSlot,
  kBankOpen, kRowClosed, kWrongRow, kMixedRows, kRefreshOpen,
  kRCDRD, kRCDWR, kRAS, kRP, kRC, kRRDS, kRRDL, kFAW,
  kCCDS, kCCDL, kCCDR, kCCDAB, kCCDSB, kRTP, kWR, kWTRS, kWTRL, kRTW, kDataBus,
  kRFC, kRFCpb, kRREFD, kRefreshLate, kRefreshEarly,
  kUnitLatency, kMoveLatency, kSoftmaxInputs, kModeSwitch,
  // clang-format on
};
constexpr std::size_t kRuleCount = 37;

struct RuleTraits {
  Rule rule;
  std::string_view name;
  std::string_view meaning;  // quoted by docs/model.md
};

constexpr std::array<RuleTraits, kRuleCount> kRules = {{
    // clang-format off
    {Rule::kOrder,         "order",          "the commands of a lockstep domain stand in order of time"},
    {Rule::kTime,          "time",           "ps is the instant of cycle, within a picosecond"},
    {Rule::kRowSlot,        "row bus",        "one row command a clock and pseudo channel"},
    {Rule::kColumnSlot,     "column bus",     "one column command a clock and pseudo channel"},
    {Rule::kBankOpen,      "bank open",      "a bank that is activated has no row open"},
    {Rule::kRowClosed,     "row closed",     "a bank that is accessed has a row open"},
    {Rule::kWrongRow,      "wrong row",      "the open row is the one accessed"},
    {Rule::kMixedRows,     "mixed rows",     "all banks of a MAC have the same row open"},
    {Rule::kRefreshOpen,   "refresh open",   "a bank that is refreshed has no row open"},
    {Rule::kRCDRD,         "nRCDRD",         "activation to a read of the bank, by host or unit"},
    {Rule::kRCDWR,         "nRCDWR",         "activation to a write of the bank"},
    {Rule::kRAS,           "nRAS",           "activation to precharge of the bank"},
    {Rule::kRP,            "nRP",            "precharge, also one of RDA or WRA, to activation or refresh of the bank"},
    {Rule::kRC,            "nRC",            "activation to activation or refresh of the bank"},
    {Rule::kRRDS,          "nRRDS",          "activation to activation in the pseudo channel"},
    {Rule::kRRDL,          "nRRDL",          "activation to activation in the bank group, or to REFpb in the SID"},
    {Rule::kFAW,           "nFAW",           "no five activations of a SID in this window"},
    {Rule::kCCDS,          "nCCDS",          "transfer to transfer in the pseudo channel"},
    {Rule::kCCDL,          "nCCDL",          "column command to column command in the bank group"},
    {Rule::kCCDR,          "nCCDR",          "read to read of another SID"},
    {Rule::kCCDAB,         "nCCDAB",         "MACab to the next MAC of the domain"},
    {Rule::kCCDSB,         "nCCDSB",         "MACsb to the next MAC of the domain"},
    {Rule::kRTP,           "nRTP",           "read of a bank, by host or unit, to its precharge"},
    {Rule::kWR,            "nWR",            "end of write data to precharge of the bank"},
    {Rule::kWTRS,          "nWTRS",          "end of write data to a read in the pseudo channel"},
    {Rule::kWTRL,          "nWTRL",          "end of write data to a read in the bank group, by host or unit"},
    {Rule::kRTW,           "nRTW",           "idle clocks of the data bus between read and write data"},
    {Rule::kDataBus,       "data bus",       "bursts do not overlap on the data bus"},
    {Rule::kRFC,           "nRFC",           "REFab to activation or refresh in the pseudo channel"},
    {Rule::kRFCpb,         "nRFCpb",         "REFpb to activation or refresh of the bank"},
    {Rule::kRREFD,         "nRREFD",         "REFpb to activation or REFpb of another bank of the SID"},
    {Rule::kRefreshLate,   "nREFI late",     "every bank gets its n-th refresh at most postpone + 1 intervals after n * nREFI"},
    {Rule::kRefreshEarly,  "nREFI early",    "no bank gets its n-th refresh more than pull_in intervals early"},
    {Rule::kUnitLatency,   "unit latency",   "MVSB waits for the result of the MAC before it"},
    {Rule::kMoveLatency,   "move latency",   "a MAC waits for what WRGB or MVGB brings to the banks"},
    {Rule::kSoftmaxInputs, "softmax inputs", "SFM waits for what MVSB brings to the buffer die"},
    {Rule::kModeSwitch,    "mode switch",    "clocks between commands of the host and of kernels"},
    // clang-format on
}};

constexpr const RuleTraits& traits(Rule rule) {
  return kRules[static_cast<std::size_t>(rule)];
}
constexpr bool rule_rows_match_enumerators() {
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    if (kRules[i].rule != static_cast<Rule>(i)) return false;
  }
  return true;
}
static_assert(rule_rows_match_enumerators(), "kRules lists every Rule, in enumerator order");

}  // namespace lockstep
