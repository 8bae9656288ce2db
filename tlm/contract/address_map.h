// Physical address <-> location: bit-fields listed from the most significant bit, which must be a
// permutation of exactly log2(capacity) bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tlm/contract/geometry.h"
#include "tlm/contract/span.h"

namespace lockstep {

enum class Coordinate : std::uint8_t {
  kChannel,
  kStackId,
  kBankGroup,
  kBank,
  kRow,
  kColumn,
  kByte
};
constexpr std::size_t kCoordinateCount = 7;

struct CoordinateTraits {
  Coordinate coordinate;
  std::string_view name;
  int Location::*member;
  int (*count)(const StackGeometry&);
};

constexpr CoordinateTraits kCoordinates[kCoordinateCount] = {
    // clang-format off
    {Coordinate::kChannel,   "channel",    &Location::channel,    [](const StackGeometry& g) { return g.flat_channels(); }},
    {Coordinate::kStackId,   "stack_id",   &Location::stack_id,   [](const StackGeometry& g) { return g.stack_ids; }},
    {Coordinate::kBankGroup, "bank_group", &Location::bank_group, [](const StackGeometry& g) { return g.bank_groups; }},
    {Coordinate::kBank,      "bank",       &Location::bank,       [](const StackGeometry& g) { return g.banks; }},
    {Coordinate::kRow,       "row",        &Location::row,        [](const StackGeometry& g) { return g.rows; }},
    {Coordinate::kColumn,    "column",     &Location::column,     [](const StackGeometry& g) { return g.columns; }},
    {Coordinate::kByte,      "byte",       &Location::byte,       [](const StackGeometry& g) { return g.column_bytes; }},
    // clang-format on
};

// Maps a configuration may name. The notation of a field list is that of AddressMap::parse.
struct NamedAddressMap {
  std::string_view name;
  std::string_view fields;
};

// The three maps of the KV placement study (docs/model.md, address maps). A 64 B cache line stays
// in one bank under host-cacheline because column[0] lies just above the byte.
constexpr NamedAddressMap kAddressMaps[] = {
    {"host-cacheline", "row stack_id column[:1] bank_group bank channel column[0] byte"},
    {"host-centric", "row stack_id bank_group bank channel column byte"},
    {"pim-friendly", "channel row column stack_id bank_group bank byte"},
};

class AddressMap {
 public:
  // Fields from the most significant bit, separated by blanks. A field is a coordinate (`row`),
  // some of its bits (`column[4:1]`, or `column[:1]` from its top bit), or one bit (`column[0]`);
  // or the whole text is the name of a map in kAddressMaps. The result is a map, or a sentence on
  // what is wrong: unknown coordinate, a bit missing or used twice, a geometry that is no power of
  // two.
  static std::variant<AddressMap, std::string> parse(std::string_view text,
                                                     const StackGeometry& geometry);

  // Requires address < capacity.
  Location decode(std::uint64_t address) const;
  // Requires every coordinate in range.
  std::uint64_t encode(const Location& location) const;

  std::uint64_t capacity() const { return std::uint64_t{1} << bits_.size(); }
  int address_bits() const { return static_cast<int>(bits_.size()); }
  // The map of a part of the stack: without the address bits of the `count` highest bits of a
  // coordinate, which must have so many.
  AddressMap without_top(Coordinate coordinate, int count) const;
  // The map of a part of the channels: without the `count` highest channel bits, which it must
  // have. Where each lay a column bit closes up, the lowest above the lowest channel bit: it goes
  // below the channels, so that what the channels shared without reaching the banks they still do.
  // A map without such a column bit only loses the channel bits.
  AddressMap of_fewer_channels(int count) const;
  // The address bits of one coordinate, as a mask.
  std::uint64_t mask(Coordinate coordinate) const;

 private:
  struct Bit {
    Coordinate coordinate;
    int index;  // in the coordinate
  };
  // A run of bits of one coordinate that are adjacent in the address too.
  struct Slice {
    Coordinate coordinate;
    int from;   // lowest bit in the address
    int to;     // lowest bit in the coordinate
    int width;  // bits
  };

  explicit AddressMap(std::vector<Bit> bits);

  std::vector<Bit> bits_;  // from the least significant bit
  std::vector<Slice> slices_;
};

}  // namespace lockstep
