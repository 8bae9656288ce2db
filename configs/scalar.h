// Text to value, per type. A quantity must carry its unit, and must be exact in the unit we count
// in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tlm/contract/span.h"
#include "tlm/contract/units.h"

namespace lockstep {

// Specialise it for a type of your own. `parse` gives nullopt for what is not wholly a T, trailing
// characters included; `expected` completes "expected …, got …".
template <typename T>
struct Scalar;

struct Unit {
  std::string_view name;
  std::int64_t scale;  // in what the quantity counts
};

struct QuantityKind {
  const char* noun;
  const char* expected;
  Span<Unit> units;  // from small to large
};

// The row of each quantity; the argument only chooses.
const QuantityKind& quantity_kind(Cycles);
const QuantityKind& quantity_kind(Picoseconds);
const QuantityKind& quantity_kind(Bytes);
const QuantityKind& quantity_kind(Hertz);
const QuantityKind& quantity_kind(Femtojoules);
const QuantityKind& quantity_kind(Microwatts);
const QuantityKind& quantity_kind(BytesPerSecond);

// `14 ns`, `0.625 ns`: a decimal without sign or exponent, one blank, a unit. Exact or nullopt.
std::optional<std::int64_t> parse_quantity(std::string_view text, const QuantityKind& kind);

// The count in the largest unit that divides it: 14000 is `14 ns`. parse_quantity reads it back.
std::string print_quantity(std::int64_t count, const QuantityKind& kind);

template <typename Tag>
struct Scalar<Quantity<Tag>> {
  static const char* noun() { return quantity_kind(Quantity<Tag>{}).noun; }
  static const char* expected() { return quantity_kind(Quantity<Tag>{}).expected; }
  static std::string print(Quantity<Tag> value) {
    return print_quantity(value.count, quantity_kind(value));
  }
  static std::optional<Quantity<Tag>> parse(const std::string& text) {
    const auto count = parse_quantity(text, quantity_kind(Quantity<Tag>{}));
    return count ? std::optional(Quantity<Tag>{*count}) : std::nullopt;
  }
};

// Decimal digits, a leading `-` allowed; no `+`, leading zeros, blanks or exponent.
template <>
struct Scalar<std::int64_t> {
  static const char* noun() { return "a whole number"; }
  static const char* expected() { return "a whole number"; }
  static std::string print(std::int64_t value);
  static std::optional<std::int64_t> parse(const std::string& text);
};

template <>
struct Scalar<int> {
  static const char* noun() { return "a whole number"; }
  static const char* expected() { return "a whole number"; }
  static std::string print(int value);
  static std::optional<int> parse(const std::string& text);
};

// `0.25`, `3`, `-1.5`: digits on both sides of the point, no exponent.
template <>
struct Scalar<double> {
  static const char* noun() { return "a decimal number"; }
  static const char* expected() { return "a decimal number such as `0.25`"; }
  static std::string print(double value);
  static std::optional<double> parse(const std::string& text);
};

// One line of text, not empty. Blanks within are allowed: an address map is a list of words.
template <>
struct Scalar<std::string> {
  static const char* expected() { return "a word"; }
  static std::optional<std::string> parse(const std::string& text);
};

// Why a text of digits is no whole number, to follow it in a message: ", which has a leading zero",
// ", which is too large" or "too small"; "" for a text that is no digits at all.
std::string whole_number_hint(std::string_view text);

}  // namespace lockstep
