#include "firmware/workload/fields.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "tlm/contract/units.h"

namespace lockstep {
namespace {

constexpr std::int64_t kMaxNanoseconds = std::int64_t{1} << 62;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Decimal {
  WideInteger mantissa = 0;
  std::int64_t exponent = 0;  // of ten
};

// Digits with at most one point, from the front of `text`; nullopt without a digit.
std::optional<Decimal> take_decimal(std::string_view& text) {
  constexpr auto kEnough = static_cast<WideInteger>(1'000'000'000'000'000) * 1'000'000'000'000'000;
  Decimal value;
  bool digits = false;
  bool point = false;
  while (!text.empty() && (is_digit(text.front()) || (text.front() == '.' && !point))) {
    if (text.front() == '.') {
      point = true;
    } else if (value.mantissa < kEnough) {
      value.mantissa = value.mantissa * 10 + (text.front() - '0');
      value.exponent -= point ? 1 : 0;
    } else {
      value.exponent += point ? 0 : 1;  // a digit far below a nanosecond, or far above 2^62
    }
    digits = digits || is_digit(text.front());
    text.remove_prefix(1);
  }
  return digits ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> rounded(Decimal value) {
  for (; value.exponent > 0 && value.mantissa != 0; --value.exponent) {
    value.mantissa *= 10;
    if (value.mantissa > kMaxNanoseconds) return std::nullopt;
  }
  constexpr std::int64_t kDigitsOfDivisor = 37;  // 10^37 < 2^127, and more than any mantissa has
  WideInteger divisor = 1;
  for (; value.exponent < 0 && value.exponent >= -kDigitsOfDivisor; ++value.exponent) divisor *= 10;
  if (value.exponent < 0) return 0;
  const WideInteger nearest = (value.mantissa + divisor / 2) / divisor;
  if (nearest > kMaxNanoseconds) return std::nullopt;
  return static_cast<std::int64_t>(nearest);
}

// `width` digits from the front of `text`, then one of `ends` unless that is empty.
std::optional<int> take_number(std::string_view& text, std::size_t width, std::string_view ends) {
  if (text.size() < width) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, width)) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(width);
  if (ends.empty()) return value;
  if (text.empty() || ends.find(text.front()) == std::string_view::npos) return std::nullopt;
  text.remove_prefix(1);
  return value;
}

// Days from 1970-01-01 in the Gregorian calendar; nullopt when there is no such day.
std::optional<std::int64_t> day_number(int year, int month, int day) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1970 || year > 2099 || month < 1 || month > 12) return std::nullopt;
  const int leap = (year % 4 == 0) ? 1 : 0;  // right from 1901 to 2099
  if (day < 1 || day > kDays[month - 1] + (month == 2 ? leap : 0)) return std::nullopt;
  std::int64_t days = 365L * (year - 1970) + (year - 1969) / 4 + day - 1;
  for (int m = 1; m < month; ++m) days += kDays[m - 1] + (m == 2 ? leap : 0);
  return days;
}

// Up to nine digits after a point, as nanoseconds.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  if (text.empty() || text.front() != '.') return 0;
  text.remove_prefix(1);
  std::int64_t value = 0;
  int digits = 0;
  for (; !text.empty() && is_digit(text.front()); ++digits, text.remove_prefix(1)) {
    if (digits == 9) return std::nullopt;
    value = value * 10 + (text.front() - '0');
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 9; ++digits) value *= 10;
  return value;
}

// Seconds east of UTC of the rest of a date: nothing, `Z` or `+hh:mm`.
std::optional<std::int64_t> zone_offset(std::string_view text) {
  if (text.empty() || text == "Z") return 0;
  const char sign = text.front();
  if (sign != '+' && sign != '-') return std::nullopt;
  text.remove_prefix(1);
  const auto hours = take_number(text, 2, ":");
  const auto minutes = hours ? take_number(text, 2, "") : std::nullopt;
  if (!minutes || !text.empty() || *hours > 14 || *minutes > 59) return std::nullopt;
  const std::int64_t seconds = 3600L * *hours + 60L * *minutes;
  return sign == '+' ? seconds : -seconds;
}

}  // namespace

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<std::int64_t> nanoseconds_of(std::string_view text, TimeUnit unit) {
  auto value = take_decimal(text);
  if (!value) return std::nullopt;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (text.size() > 1 && text[0] == '+' && is_digit(text[1])) text.remove_prefix(1);
    int exponent = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, exponent);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    value->exponent += exponent;
  }
  if (!text.empty()) return std::nullopt;
  value->exponent += static_cast<int>(unit);
  return rounded(*value);
}

std::optional<std::int64_t> nanoseconds_of_date(std::string_view text) {
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  const auto year = take_number(text, 4, "-");
  const auto month = year ? take_number(text, 2, "-") : std::nullopt;
  const auto day = month ? take_number(text, 2, " T") : std::nullopt;
  const auto hour = day ? take_number(text, 2, ":") : std::nullopt;
  const auto minute = hour ? take_number(text, 2, ":") : std::nullopt;
  const auto second = minute ? take_number(text, 2, "") : std::nullopt;
  if (!second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  const auto fraction = take_fraction(text);
  const auto offset = zone_offset(text);
  const auto days = day_number(*year, *month, *day);
  if (!fraction || !offset || !days) return std::nullopt;
  const std::int64_t seconds = *days * 86'400 + *hour * 3600L + *minute * 60L + *second - *offset;
  return seconds * kNanosecondsPerSecond + *fraction;
}

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string printable;
  for (const char c : text.substr(0, limit)) {
    if (c >= ' ' && c <= '~') {
      printable += c;
    } else {
      printable += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text.size() > limit ? printable + "..." : printable;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace lockstep
