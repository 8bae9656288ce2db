// Reads the canonical command trace (tlm/contract/command_csv.h) line by line, in constant memory.
#pragma once

#include <array>
#include <istream>
#include <string>
#include <vector>

#include "firmware/workload/line_reader.h"
#include "sim/traces/line_faults.h"
#include "sim/traces/traced_command.h"

namespace lockstep {

enum class CsvColumn : std::uint8_t {
  // clang-format off
  kPs, kCycle, kChannel, kCommand, kBankGroup, kBank, kRow, kColumn, kSource, kStackId, kBlockedBy,
  // clang-format on
};
constexpr std::size_t kCsvColumnCount = 11;

struct CsvColumnTraits {
  CsvColumn column;
  std::string_view name;
  enum class Must : std::uint8_t { kBeGiven, kBeAColumn, kNothing } must;
};

constexpr std::array<CsvColumnTraits, kCsvColumnCount> kCsvColumns = {{
    // clang-format off
    {CsvColumn::kPs,        "ps",         CsvColumnTraits::Must::kBeGiven},
    {CsvColumn::kCycle,     "cycle",      CsvColumnTraits::Must::kBeGiven},
    {CsvColumn::kChannel,   "channel",    CsvColumnTraits::Must::kBeGiven},
    {CsvColumn::kCommand,   "command",    CsvColumnTraits::Must::kBeGiven},
    {CsvColumn::kBankGroup, "bank_group", CsvColumnTraits::Must::kBeAColumn},
    {CsvColumn::kBank,      "bank",       CsvColumnTraits::Must::kBeAColumn},
    {CsvColumn::kRow,       "row",        CsvColumnTraits::Must::kBeAColumn},
    {CsvColumn::kColumn,    "column",     CsvColumnTraits::Must::kBeAColumn},
    {CsvColumn::kSource,    "source",     CsvColumnTraits::Must::kBeAColumn},
    {CsvColumn::kStackId,   "stack_id",   CsvColumnTraits::Must::kNothing},
    {CsvColumn::kBlockedBy, "blocked_by", CsvColumnTraits::Must::kNothing},
    // clang-format on
}};

class CommandCsvReader {
 public:
  // `stream` outlives the reader; `name` stands for it in messages. Reads the header: columns are
  // found by name, those that are not ours are passed over. InputError if one is missing.
  CommandCsvReader(std::istream& stream, std::string name);

  // Puts the next well-formed line in `command`; notes and passes over the others, and blank lines.
  // False at the end.
  bool next(TracedCommand& command);
  // Notes that a value of the line given last is not as `expected`, so that it does not count.
  void refuse(CsvColumn column, std::string_view expected);
  // At the end: InputError with the wrong lines, or if the file holds no command at all.
  void finish() const;

  bool has(CsvColumn column) const { return present_[static_cast<std::size_t>(column)]; }
  std::int64_t lines() const { return lines_.line_number(); }
  std::int64_t commands() const { return accepted_; }

 private:
  void read_header();
  bool split();
  bool fill(TracedCommand& command);
  std::int64_t number(CsvColumn column);
  std::string_view text(CsvColumn column) const {
    return fields_[static_cast<std::size_t>(column)];
  }

  LineReader lines_;
  LineFaults faults_;
  std::string line_;
  std::vector<int> columns_;  // of each field: which of kCsvColumns it is, or -1
  std::array<bool, kCsvColumnCount> present_{};
  std::array<std::string_view, kCsvColumnCount> fields_{};
  std::int64_t accepted_ = 0;
  bool good_ = true;  // so far, of the line at hand
};

}  // namespace lockstep
