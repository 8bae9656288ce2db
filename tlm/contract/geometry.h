// The shape of an HBM3 stack, and the coordinates of a column in it.
#pragma once

#include <cstdint>

#include "tlm/contract/units.h"

namespace lockstep {

// Counts per level. `channels` are the stack's 128-bit legacy channels; most of the model speaks of
// pseudo channels, numbered flat: pseudo channel p belongs to channel p / pseudo_channels.
struct StackGeometry {
  int channels = 16;
  int pseudo_channels = 2;  // per channel
  int stack_ids = 1;        // SIDs per pseudo channel
  int bank_groups = 4;      // per SID
  int banks = 4;            // per bank group
  int rows = 16384;         // per bank
  int columns = 32;         // per row
  int column_bytes = 32;

  constexpr int flat_channels() const { return channels * pseudo_channels; }
  constexpr int banks_per_sid() const { return bank_groups * banks; }
  constexpr int banks_per_pseudo_channel() const { return stack_ids * banks_per_sid(); }
  constexpr int row_bytes() const { return columns * column_bytes; }
  constexpr Bytes capacity() const {
    return {static_cast<std::int64_t>(flat_channels()) * banks_per_pseudo_channel() * rows *
            row_bytes()};
  }
};

// Where a byte of the stack is.
struct Location {
  int channel = 0;  // flat pseudo channel
  int stack_id = 0;
  int bank_group = 0;
  int bank = 0;  // in its bank group
  int row = 0;
  int column = 0;
  int byte = 0;  // in its column
};

constexpr bool operator==(const Location& a, const Location& b) {
  return a.channel == b.channel && a.stack_id == b.stack_id && a.bank_group == b.bank_group &&
         a.bank == b.bank && a.row == b.row && a.column == b.column && a.byte == b.byte;
}

}  // namespace lockstep
