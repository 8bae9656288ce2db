// Text of a trace to numbers, strictly: what is not wholly a number is not a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

// A decimal integer, `-` allowed, nothing else: not `1e3`, `0x10`, `+5`, ` 5`.
std::optional<std::int64_t> integer_of(std::string_view text);

// Power of ten that turns a unit of time into nanoseconds.
enum class TimeUnit { kNanoseconds = 0, kMilliseconds = 6, kSeconds = 9 };

// Nanoseconds of a non-negative decimal such as `12`, `0.0734` or `5.1e-05` of `unit`, exactly, and
// rounded to nearest beyond the nanosecond. nullopt also when it exceeds 2^62 ns (146 years).
std::optional<std::int64_t> nanoseconds_of(std::string_view text, TimeUnit unit);

// Nanoseconds since 1970 of `2023-11-16 18:17:03.9799600`: blank or `T`, up to 9 fraction digits,
// and an optional `Z` or `+hh:mm`. Without a zone the text is taken as UTC.
std::optional<std::int64_t> nanoseconds_of_date(std::string_view text);

// At most `limit` characters of text fit for a message: what is not printable ASCII as \xNN.
std::string excerpt(std::string_view text, std::size_t limit = 48);

std::string_view trimmed(std::string_view text);  // without blanks and tabs at both ends

}  // namespace lockstep
