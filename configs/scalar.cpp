#include "configs/scalar.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

namespace lockstep {
namespace {

constexpr std::int64_t kKilo = 1'000;
constexpr std::int64_t kMega = 1'000 * kKilo;
constexpr std::int64_t kGiga = 1'000 * kMega;
constexpr std::int64_t kTera = 1'000 * kGiga;

constexpr Unit kCycleUnits[] = {{"CK", 1}};
constexpr Unit kTimeUnits[] = {
    {"ps", 1}, {"ns", kKilo}, {"us", kMega}, {"ms", kGiga}, {"s", kTera}};
constexpr Unit kSizeUnits[] = {{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
constexpr Unit kFrequencyUnits[] = {{"Hz", 1}, {"kHz", kKilo}, {"MHz", kMega}, {"GHz", kGiga}};
constexpr Unit kEnergyUnits[] = {{"fJ", 1}, {"pJ", kKilo}, {"nJ", kMega}, {"uJ", kGiga}};
constexpr Unit kPowerUnits[] = {{"uW", 1}, {"mW", kKilo}, {"W", kMega}};
constexpr Unit kBandwidthUnits[] = {
    {"B/s", 1}, {"kB/s", kKilo}, {"MB/s", kMega}, {"GB/s", kGiga}, {"TB/s", kTera}};

constexpr QuantityKind kCycleCount{"a count of clocks", "a count of clocks such as `19 CK`",
                                   kCycleUnits};
constexpr QuantityKind kTime{"a time", "a time in whole ps such as `14 ns`", kTimeUnits};
constexpr QuantityKind kSize{"a size", "a size in whole bytes such as `16 GiB`", kSizeUnits};
constexpr QuantityKind kFrequency{"a frequency", "a frequency in whole Hz such as `1.3 GHz`",
                                  kFrequencyUnits};
constexpr QuantityKind kEnergy{"an energy", "an energy in whole fJ such as `1.1 pJ`", kEnergyUnits};
constexpr QuantityKind kPower{"a power", "a power in whole uW such as `75 mW`", kPowerUnits};
constexpr QuantityKind kBandwidth{"a bandwidth", "a bandwidth in whole B/s such as `819.2 GB/s`",
                                  kBandwidthUnits};

constexpr std::size_t kMaxDigits = 19;  // of 64 bits; times any unit it fits 128

bool are_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Digits as people write them: `0`, `7`, `10`, but not `010`, which YAML 1.1 reads as 8.
bool is_whole(std::string_view text) {
  return are_digits(text) && (text.size() == 1 || text[0] != '0');
}

std::string_view without_minus(std::string_view text) {
  return text.substr(!text.empty() && text[0] == '-' ? 1 : 0);
}

template <typename T>
std::optional<T> from_digits(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <typename T>
std::optional<T> parse_whole(std::string_view text) {
  const bool is_minus_zero = text == "-0";
  if (!is_whole(without_minus(text)) || is_minus_zero) return std::nullopt;
  return from_digits<T>(text);
}

}  // namespace

const QuantityKind& quantity_kind(Cycles) {
  return kCycleCount;
}
const QuantityKind& quantity_kind(Picoseconds) {
  return kTime;
}
const QuantityKind& quantity_kind(Bytes) {
  return kSize;
}
const QuantityKind& quantity_kind(Hertz) {
  return kFrequency;
}
const QuantityKind& quantity_kind(Femtojoules) {
  return kEnergy;
}
const QuantityKind& quantity_kind(Microwatts) {
  return kPower;
}
const QuantityKind& quantity_kind(BytesPerSecond) {
  return kBandwidth;
}

std::optional<std::int64_t> parse_quantity(std::string_view text, const QuantityKind& kind) {
  const auto blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const auto unit = std::find_if(kind.units.begin(), kind.units.end(),
                                 [&](const Unit& u) { return u.name == text.substr(blank + 1); });
  if (unit == kind.units.end()) return std::nullopt;

  const std::string_view number = text.substr(0, blank);
  const auto point = number.find('.');
  const std::string_view whole = number.substr(0, point);
  std::string_view fraction;
  if (point != std::string_view::npos) {
    fraction = number.substr(point + 1);
    if (!are_digits(fraction)) return std::nullopt;
  }
  if (!is_whole(whole) || whole.size() + fraction.size() > kMaxDigits) return std::nullopt;

  std::int64_t denominator = 1;
  for (std::size_t i = 0; i < fraction.size(); ++i) denominator *= 10;
  const auto digits = from_digits<std::int64_t>(std::string(whole) + std::string(fraction));
  if (!digits) return std::nullopt;
  const WideInteger scaled = static_cast<WideInteger>(*digits) * unit->scale;
  if (scaled % denominator != 0) return std::nullopt;
  const WideInteger count = scaled / denominator;
  if (count > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(count);
}

std::string print_quantity(std::int64_t count, const QuantityKind& kind) {
  const Unit* best = kind.units.begin();
  for (const auto& unit : kind.units) {
    if (count != 0 && count % unit.scale == 0) best = &unit;
  }
  return std::to_string(count / best->scale) + " " + std::string(best->name);
}

std::string Scalar<std::int64_t>::print(std::int64_t value) {
  return std::to_string(value);
}

std::optional<std::int64_t> Scalar<std::int64_t>::parse(const std::string& text) {
  return parse_whole<std::int64_t>(text);
}

std::string Scalar<int>::print(int value) {
  return std::to_string(value);
}

std::optional<int> Scalar<int>::parse(const std::string& text) {
  return parse_whole<int>(text);
}

std::string Scalar<double>::print(double value) {
  char text[400];  // the longest plain decimal of a double has 325 characters
  const auto end = std::to_chars(text, std::end(text), value, std::chars_format::fixed).ptr;
  return {text, end};
}

std::optional<double> Scalar<double>::parse(const std::string& text) {
  const std::string_view magnitude = without_minus(text);
  const auto point = magnitude.find('.');
  if (!is_whole(magnitude.substr(0, point))) return std::nullopt;
  if (point != std::string_view::npos && !are_digits(magnitude.substr(point + 1))) {
    return std::nullopt;
  }
  return from_digits<double>(text);
}

std::optional<std::string> Scalar<std::string>::parse(const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (text.empty() || std::any_of(text.begin(), text.end(), is_control)) return std::nullopt;
  return text;
}

std::string whole_number_hint(std::string_view text) {
  const std::string_view digits = without_minus(text);
  if (!are_digits(digits) || text == "-0") return "";
  if (!is_whole(digits)) return ", which has a leading zero";
  return text[0] == '-' ? ", which is too small" : ", which is too large";
}

}  // namespace lockstep
