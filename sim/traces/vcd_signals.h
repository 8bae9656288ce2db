// The signals of a pseudo channel in a VCD trace. Writer and reader go by this table.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "hw/dram/command.h"
#include "tlm/contract/command_record.h"

namespace lockstep {

enum class VcdSignal : std::uint8_t {
  // clang-format off
  kRowCommand, kRowStackId, kRowBankGroup, kRowBank, kRowRow,
  kColumnCommand, kColumnStackId, kColumnBankGroup, kColumnBank, kColumnRow, kColumnColumn,
  kUnitsBusy, kDataBusBusy, kRefreshing,
  // clang-format on
};
constexpr std::size_t kVcdSignalCount = 14;

struct VcdSignalTraits {
  VcdSignal signal;
  std::string_view name;
  enum class Kind : std::uint8_t { kText, kNumber, kFlag } kind;
  Bus bus;                             // of the command it belongs to
  std::int32_t CommandRecord::*value;  // of a number
};

static_assert(std::is_same_v<int, std::int32_t>, "coordinates are int in a record");

constexpr std::array<VcdSignalTraits, kVcdSignalCount> kVcdSignals = {{
    // clang-format off
    {VcdSignal::kRowCommand,      "row_command",       VcdSignalTraits::Kind::kText,   Bus::kRow,    nullptr},
    {VcdSignal::kRowStackId,      "row_stack_id",      VcdSignalTraits::Kind::kNumber, Bus::kRow,    &CommandRecord::stack_id},
    {VcdSignal::kRowBankGroup,    "row_bank_group",    VcdSignalTraits::Kind::kNumber, Bus::kRow,    &CommandRecord::bank_group},
    {VcdSignal::kRowBank,         "row_bank",          VcdSignalTraits::Kind::kNumber, Bus::kRow,    &CommandRecord::bank},
    {VcdSignal::kRowRow,          "row_row",           VcdSignalTraits::Kind::kNumber, Bus::kRow,    &CommandRecord::row},
    {VcdSignal::kColumnCommand,   "column_command",    VcdSignalTraits::Kind::kText,   Bus::kColumn, nullptr},
    {VcdSignal::kColumnStackId,   "column_stack_id",   VcdSignalTraits::Kind::kNumber, Bus::kColumn, &CommandRecord::stack_id},
    {VcdSignal::kColumnBankGroup, "column_bank_group", VcdSignalTraits::Kind::kNumber, Bus::kColumn, &CommandRecord::bank_group},
    {VcdSignal::kColumnBank,      "column_bank",       VcdSignalTraits::Kind::kNumber, Bus::kColumn, &CommandRecord::bank},
    {VcdSignal::kColumnRow,       "column_row",        VcdSignalTraits::Kind::kNumber, Bus::kColumn, &CommandRecord::row},
    {VcdSignal::kColumnColumn,    "column_column",     VcdSignalTraits::Kind::kNumber, Bus::kColumn, &CommandRecord::column},
    {VcdSignal::kUnitsBusy,       "units_busy",        VcdSignalTraits::Kind::kFlag,   Bus::kColumn, nullptr},
    {VcdSignal::kDataBusBusy,     "data_bus_busy",     VcdSignalTraits::Kind::kFlag,   Bus::kColumn, nullptr},
    {VcdSignal::kRefreshing,      "refreshing",        VcdSignalTraits::Kind::kFlag,   Bus::kRow,    nullptr},
    // clang-format on
}};

constexpr bool vcd_rows_match_enumerators() {
  for (std::size_t i = 0; i < kVcdSignalCount; ++i) {
    if (kVcdSignals[i].signal != static_cast<VcdSignal>(i)) return false;
  }
  return true;
}
static_assert(vcd_rows_match_enumerators(), "kVcdSignals lists every VcdSignal, in order");

// The short name that a VCD gives its n-th signal.
inline std::string vcd_identifier(std::size_t n) {
  constexpr std::size_t kFirst = '!', kLast = '~', kDigits = kLast - kFirst + 1;
  std::string text;
  do {
    text += static_cast<char>(kFirst + n % kDigits);
    n /= kDigits;
  } while (n > 0);
  return text;
}

}  // namespace lockstep
