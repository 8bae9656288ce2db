#include "sim/traces/field_line.h"

#include <charconv>

#include "tlm/contract/input_file.h"

namespace lockstep {

FieldLines::FieldLines(const std::string& path, char separator)
    : stream_(open_input_file(path)), lines_(stream_, path), faults_(path), separator_(separator) {}

bool FieldLines::next() {
  do {
    if (!lines_.next(line_)) return false;
  } while (line_.find_first_not_of(' ') == std::string::npos);
  fields_.clear();
  const std::string_view line = line_;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const auto end = std::min(line.find(separator_, begin), line.size());
    if (separator_ != ' ' || end > begin) fields_.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return true;
}

std::int64_t FieldLines::integer(std::size_t i, std::string_view name) {
  std::string_view digits = fields_[i];
  const bool negative = !digits.empty() && digits.front() == '-';
  if (negative) digits.remove_prefix(1);
  const bool hexadecimal = digits.substr(0, 2) == "0x";
  if (hexadecimal) digits.remove_prefix(2);
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10);
  const bool in_range = value >= 0 && value <= (negative ? 1 : INT64_MAX / 4);
  if (error == std::errc{} && stop == end && in_range) return negative ? -value : value;
  fault(i, name, "a whole number of at least -1");
  return -1;
}

void FieldLines::fault(std::size_t i, std::string_view name, std::string_view expected) {
  const auto column = static_cast<std::size_t>(fields_[i].data() - line_.data()) + 1;
  faults_.add(lines_.line_number(), column, mismatch(name, expected, fields_[i]));
}

}  // namespace lockstep
