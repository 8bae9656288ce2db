#include "tlm/contract/address_map.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lockstep {
namespace {

int log2_exact(int count) {
  int bits = 0;
  while ((1 << bits) < count) ++bits;
  return (1 << bits) == count ? bits : -1;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;) {
    const auto end = std::min(text.find(' ', at), text.size());
    result.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(' ', end);
  }
  return result;
}

std::optional<int> bit_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

struct Field {
  const CoordinateTraits* coordinate;
  int high, low;
};

// One word of the notation, or nullopt if it has no meaning for `geometry`.
std::optional<Field> parse_field(std::string_view word, const StackGeometry& geometry) {
  const auto bracket = word.find('[');
  const auto name = word.substr(0, bracket);
  const auto* const known =
      std::find_if(std::begin(kCoordinates), std::end(kCoordinates),
                   [&](const CoordinateTraits& traits) { return traits.name == name; });
  if (known == std::end(kCoordinates)) return std::nullopt;
  const int top = log2_exact(known->count(geometry)) - 1;
  if (bracket == std::string_view::npos) return Field{known, top, 0};
  if (word.back() != ']') return std::nullopt;
  const auto range = word.substr(bracket + 1, word.size() - bracket - 2);
  const auto colon = range.find(':');
  const auto low = bit_number(colon == std::string_view::npos ? range : range.substr(colon + 1));
  const auto high = colon == std::string_view::npos ? low
                    : colon == 0                    ? std::optional(top)
                                                    : bit_number(range.substr(0, colon));
  if (!low || !high || *high > top || *low > *high) return std::nullopt;
  return Field{known, *high, *low};
}

}  // namespace

std::variant<AddressMap, std::string> AddressMap::parse(std::string_view text,
                                                        const StackGeometry& geometry) {
  for (const auto& traits : kCoordinates) {
    const int count = traits.count(geometry);
    if (log2_exact(count) < 0) {
      return "an address map needs a power of two of each coordinate, but `" +
             std::string(traits.name) + "` has " + std::to_string(count);
    }
  }
  for (const auto& named : kAddressMaps) {
    if (named.name == text) text = named.fields;
  }

  std::vector<Bit> bits;
  for (const auto word : words(text)) {
    const auto field = parse_field(word, geometry);
    if (!field) return "no such field or bits: `" + std::string(word) + "`";
    for (int index = field->high; index >= field->low; --index) {
      bits.push_back({field->coordinate->coordinate, index});
    }
  }
  std::reverse(bits.begin(), bits.end());

  for (const auto& traits : kCoordinates) {
    for (int index = 0; index < log2_exact(traits.count(geometry)); ++index) {
      const auto uses = std::count_if(bits.begin(), bits.end(), [&](const Bit& bit) {
        return bit.coordinate == traits.coordinate && bit.index == index;
      });
      if (uses == 1) continue;
      return "bit " + std::to_string(index) + " of `" + std::string(traits.name) + "` is " +
             (uses == 0 ? "missing" : "used " + std::to_string(uses) + " times");
    }
  }
  return AddressMap(std::move(bits));
}

AddressMap::AddressMap(std::vector<Bit> bits) : bits_(std::move(bits)) {
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    const auto [coordinate, index] = bits_[i];
    if (!slices_.empty()) {
      auto& last = slices_.back();
      if (last.coordinate == coordinate && last.to + last.width == index) {
        ++last.width;
        continue;
      }
    }
    slices_.push_back({coordinate, static_cast<int>(i), index, 1});
  }
}

Location AddressMap::decode(std::uint64_t address) const {
  Location location;
  for (const auto& slice : slices_) {
    const auto value = (address >> slice.from) & ((std::uint64_t{1} << slice.width) - 1);
    location.*kCoordinates[static_cast<std::size_t>(slice.coordinate)].member |=
        static_cast<int>(value << slice.to);
  }
  return location;
}

std::uint64_t AddressMap::encode(const Location& location) const {
  std::uint64_t address = 0;
  for (const auto& slice : slices_) {
    const auto value = static_cast<std::uint64_t>(
        location.*kCoordinates[static_cast<std::size_t>(slice.coordinate)].member);
    address |= ((value >> slice.to) & ((std::uint64_t{1} << slice.width) - 1)) << slice.from;
  }
  return address;
}

AddressMap AddressMap::without_top(Coordinate coordinate, int count) const {
  int width = 0;
  for (const auto& bit : bits_) width += bit.coordinate == coordinate ? 1 : 0;
  std::vector<Bit> kept;
  for (const auto& bit : bits_) {
    if (bit.coordinate != coordinate || bit.index < width - count) kept.push_back(bit);
  }
  return AddressMap(std::move(kept));
}

AddressMap AddressMap::of_fewer_channels(int count) const {
  const auto is = [](Coordinate coordinate) {
    return [coordinate](const Bit& bit) { return bit.coordinate == coordinate; };
  };
  const auto below = std::find_if(bits_.begin(), bits_.end(), is(Coordinate::kChannel));
  auto bits = without_top(Coordinate::kChannel, count).bits_;
  auto to = bits.begin() + (below - bits_.begin());
  for (int i = 0; i < count; ++i) {
    const auto column = std::find_if(to, bits.end(), is(Coordinate::kColumn));
    if (column == bits.end()) break;
    std::rotate(to, column, column + 1);
    ++to;
  }
  return AddressMap(std::move(bits));
}

std::uint64_t AddressMap::mask(Coordinate coordinate) const {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    if (bits_[i].coordinate == coordinate) result |= std::uint64_t{1} << i;
  }
  return result;
}

}  // namespace lockstep
