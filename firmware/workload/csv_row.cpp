#include <fmt/format.h>

#include "firmware/workload/trace_row.h"
#include "tlm/contract/errors.h"

namespace lockstep {

void split_csv(std::string_view line, std::vector<CsvField>& fields) {
  fields.clear();
  std::size_t begin = 0;
  while (true) {
    const auto comma = line.find(',', begin);
    const auto raw = line.substr(begin, comma - begin);  // npos - begin: the rest
    const auto text = trimmed(raw);
    const auto lead = text.empty() ? 0 : static_cast<std::size_t>(text.data() - raw.data());
    fields.push_back({text, begin + lead + 1});
    if (comma == std::string_view::npos) return;
    begin = comma + 1;
  }
}

const CsvField& CsvRow::field(std::string_view name) const {
  for (std::size_t i = 0; i < header_.size(); ++i) {
    if (header_[i] == name) return fields_[i];
  }
  throw InternalError("a trace format reads a column that its header does not name");
}

void CsvRow::fault(std::string_view name, const std::string& message) {
  const CsvField& at = field(name);
  out_.faults.push_back(
      {at.column, fmt::format("`{}`: {}, got `{}`", name, message, excerpt(at.text))});
}

std::int64_t CsvRow::integer(std::string_view name, IntegerRange range) {
  const auto value = integer_of(field(name).text);
  if (value && *value >= range.low && *value <= range.high) return *value;
  fault(name, fmt::format("expected a whole number from {} to {}", range.low, range.high));
  return range.low;
}

std::int32_t CsvRow::tokens(std::string_view name) {
  return static_cast<std::int32_t>(integer(name, {0, kMaxTokens}));
}

std::int64_t CsvRow::time(std::string_view name, TimeUnit unit) {
  const auto value = nanoseconds_of(field(name).text, unit);
  if (value) return *value;
  fault(name, "expected a time of 0 or more and below 146 years, such as `12.5`");
  return 0;
}

std::int64_t CsvRow::date(std::string_view name) {
  const auto value = nanoseconds_of_date(field(name).text);
  if (value) return *value;
  fault(name, "expected a date such as `2023-11-16 18:17:03.9799600`");
  return 0;
}

}  // namespace lockstep
