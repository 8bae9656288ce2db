#include "sim/traces/command_csv_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "firmware/workload/fields.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::int64_t kAbsent = -1;
constexpr std::int64_t kMaxCoordinate = INT32_MAX;
constexpr std::int64_t kMaxTime = INT64_MAX / 4;  // differences and sums stay in range

std::string_view without_blanks(std::string_view field) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (field.empty() || (!is_blank(field.front()) && !is_blank(field.back()))) return field;
  return trimmed(field);
}

}  // namespace

CommandCsvReader::CommandCsvReader(std::istream& stream, std::string name)
    : lines_(stream, name), faults_(std::move(name)) {
  read_header();
}

void CommandCsvReader::read_header() {
  const auto refuse_header = [&](const std::string& what) {
    throw InputError(fmt::format("{}:1:1: {}, got `{}`\n", faults_.file(), what, excerpt(line_)));
  };
  lines_.next(line_);
  std::string_view rest = line_;
  while (true) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto name = without_blanks(rest.substr(0, comma));
    const auto found = std::find_if(kCsvColumns.begin(), kCsvColumns.end(),
                                    [&](const auto& row) { return row.name == name; });
    columns_.push_back(found == kCsvColumns.end() ? -1
                                                  : static_cast<int>(found - kCsvColumns.begin()));
    if (found != kCsvColumns.end()) {
      if (has(found->column)) refuse_header(fmt::format("the column `{}` is there twice", name));
      present_[static_cast<std::size_t>(found->column)] = true;
    }
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  for (const auto& [column, name, must] : kCsvColumns) {
    if (must == CsvColumnTraits::Must::kNothing || has(column)) continue;
    refuse_header(fmt::format("expected the header of a command trace with a column `{}`", name));
  }
}

bool CommandCsvReader::next(TracedCommand& command) {
  while (lines_.next(line_)) {
    if (line_.find_first_not_of(" \t") == std::string::npos) continue;
    good_ = true;
    if (!split() || !fill(command)) continue;
    ++accepted_;
    return true;
  }
  return false;
}

// Cuts the line into the fields of kCsvColumns.
bool CommandCsvReader::split() {
  const char* at = line_.data();
  const char* const end = at + line_.size();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto* comma =
        static_cast<const char*>(std::memchr(at, ',', static_cast<std::size_t>(end - at)));
    const bool is_last = i + 1 == columns_.size();
    if ((comma == nullptr) != is_last) {
      const auto got = std::count(line_.begin(), line_.end(), ',') + 1;
      faults_.add(lines_.line_number(), 1,
                  fmt::format("expected {} fields, as in the header, got {}: `{}`", columns_.size(),
                              got, excerpt(line_)));
      return false;
    }
    const char* const stop = is_last ? end : comma;
    if (columns_[i] >= 0) {
      fields_[static_cast<std::size_t>(columns_[i])] =
          without_blanks({at, static_cast<std::size_t>(stop - at)});
    }
    at = stop + 1;
  }
  return true;
}

bool CommandCsvReader::fill(TracedCommand& command) {
  CommandRecord& record = command.record;
  command.line = lines_.line_number();
  command.at = {number(CsvColumn::kPs)};
  record.cycle = {number(CsvColumn::kCycle)};
  record.channel = static_cast<int>(number(CsvColumn::kChannel));
  record.command = text(CsvColumn::kCommand);
  if (record.command.empty()) refuse(CsvColumn::kCommand, "the name of a command");
  record.bank_group = static_cast<int>(number(CsvColumn::kBankGroup));
  record.bank = static_cast<int>(number(CsvColumn::kBank));
  record.row = static_cast<std::int32_t>(number(CsvColumn::kRow));
  record.column = static_cast<std::int32_t>(number(CsvColumn::kColumn));
  record.source = text(CsvColumn::kSource);
  record.stack_id = has(CsvColumn::kStackId) ? static_cast<int>(number(CsvColumn::kStackId)) : -1;
  record.blocked_by = text(CsvColumn::kBlockedBy);
  return good_;
}

std::int64_t CommandCsvReader::number(CsvColumn column) {
  const auto& [which, name, must] = kCsvColumns[static_cast<std::size_t>(column)];
  const std::string_view digits = text(column);
  const bool required = must == CsvColumnTraits::Must::kBeGiven;
  if (digits.empty() && !required) return kAbsent;
  const bool is_time = column == CsvColumn::kPs || column == CsvColumn::kCycle;
  const std::int64_t most = is_time ? kMaxTime : kMaxCoordinate;
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc{} && stop == end && value >= 0 && value <= most) return value;
  refuse(column, fmt::format("{}a whole number from 0 to {}", required ? "" : "nothing or ", most));
  return kAbsent;
}

void CommandCsvReader::refuse(CsvColumn column, std::string_view expected) {
  const std::string_view got = text(column);
  const std::size_t start =
      got.data() == nullptr ? 1 : static_cast<std::size_t>(got.data() - line_.data()) + 1;
  const auto& name = kCsvColumns[static_cast<std::size_t>(column)].name;
  faults_.add(lines_.line_number(), start, mismatch(name, expected, got));
  good_ = false;
}

void CommandCsvReader::finish() const {
  faults_.throw_if_any();
  if (accepted_ == 0) {
    throw InputError(fmt::format("{}: no command in {} lines\n", faults_.file(), lines()));
  }
}

}  // namespace lockstep
