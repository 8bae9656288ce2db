// What the PIM units add to the DRAM's timing, in clocks.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tlm/contract/units.h"

namespace lockstep {

class ConfigSection;

// Whether all banks of an ACTab may open at once, or in groups of four that keep tFAW.
enum class ActAbPower : std::uint8_t { kSimultaneous, kStaggered };

// What hides an activation behind compute: nothing, a second row buffer that a row's data stay in
// while the bank opens the next, or two halves of the banks that take turns.
enum class RowOverlap : std::uint8_t { kNone, kDualRowBuffer, kHalfScope };
constexpr std::array<std::string_view, 3> kRowOverlaps = {"none", "dual_row_buffer", "half_scope"};

struct PimTiming {
  ActAbPower act_ab = ActAbPower::kSimultaneous;
  RowOverlap overlap = RowOverlap::kNone;
  Cycles n_mac_latency;      // MACab or MACsb to its result at the drain: MVSB waits for it
  Cycles n_move_latency;     // WRGB, MVSB or MVGB to the data at its destination
  Cycles n_softmax_latency;  // SFM to the first probabilities
  std::int64_t softmax_elements_per_clock = 1;
  Cycles n_mode_switch;  // between host commands and PIM commands
};

}  // namespace lockstep
