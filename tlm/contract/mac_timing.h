// When the bank unit answers, for each pipeline depth: the one table that whoever times MVSB and
// mode switches reads, and that tests/rtl compares with the RTL (docs/rtl.md, "Timing").
#pragma once

#include "tlm/contract/units.h"

namespace lockstep {

using UnitClocks = Quantity<struct UnitClocksTag>;  // column slots of the bank unit, not CK periods

struct MacTiming {
  int depth;                        // pipeline stages
  UnitClocks issue_to_issue;        // any operation after any other, to any accumulator
  UnitClocks scalars_to_axpy;       // a row of scalars is loaded -> first AXPY that reads it
  UnitClocks issue_to_result;       // issue -> valid and tag
  UnitClocks issue_to_drain;        // last issue -> first drain that is accepted
  UnitClocks drain_to_data;         // drain accepted -> burst
  UnitClocks issue_to_mode_switch;  // last issue -> the banks may leave PIM mode
};

// clang-format off
inline constexpr MacTiming kMacTimings[] = {
    // depth  issue  scalars  result  drain  data  mode switch
    {1,       {1},   {1},     {1},    {1},   {1},  {1}},
    {3,       {1},   {1},     {3},    {3},   {1},  {3}},
    {6,       {1},   {1},     {6},    {6},   {1},  {6}},
};
// clang-format on

// The row of a pipeline depth, or nullptr: the unit is built for the depths of the table only.
constexpr const MacTiming* find_mac_timing(int depth) {
  for (const MacTiming& row : kMacTimings) {
    if (row.depth == depth) return &row;
  }
  return nullptr;
}

}  // namespace lockstep
