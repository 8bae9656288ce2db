// lockstep map ADDRESS|COORDINATES CONFIG: between addresses and places of the stack.
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "sim/commands/declare.h"
#include "sim/run/run_config.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

std::uint64_t address_of(const std::string& text, const AddressMap& map) {
  const bool hex = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const char* const first = text.data() + (hex ? 2 : 0);
  const char* const last = text.data() + text.size();
  std::uint64_t address = 0;
  const auto [end, error] = std::from_chars(first, last, address, hex ? 16 : 10);
  if (error != std::errc{} || end != last || address >= map.capacity()) {
    throw InputError(
        fmt::format("{}: expected an address below the stack's {:#x} bytes, such as 0x12345, or "
                    "coordinates such as channel=3,row=7,column=2, got `{}`",
                    text, map.capacity(), text));
  }
  return address;
}

// `channel=3,bank_group=1,bank=2,row=7,column=2`; what is not named is 0.
Location location_of(const std::string& text, const StackGeometry& geometry) {
  Location location;
  std::string mistakes;
  for (std::size_t start = 0; start <= text.size();) {
    const auto comma = std::min(text.find(',', start), text.size());
    const std::string part = text.substr(start, comma - start);
    const auto equals = part.find('=');
    const std::string name = part.substr(0, equals);
    int value = -1;
    bool known = false;
    for (const auto& traits : kCoordinates) {
      if (traits.name != name) continue;
      known = true;
      const std::string digits = equals == std::string::npos ? "" : part.substr(equals + 1);
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      const bool good = error == std::errc{} && end == digits.data() + digits.size() &&
                        value >= 0 && value < traits.count(geometry);
      if (good) location.*traits.member = value;
      if (!good) {
        mistakes += fmt::format("{}:1:{}: expected `{}` from 0 to {}, got `{}`\n", text, start + 1,
                                name, traits.count(geometry) - 1, digits);
      }
    }
    if (!known) {
      mistakes += fmt::format(
          "{}:1:{}: expected channel, stack_id, bank_group, bank, row, column or byte, got `{}`\n",
          text, start + 1, name);
    }
    start = comma + 1;
  }
  if (!mistakes.empty()) throw InputError(mistakes);
  return location;
}

}  // namespace

void declare_map(CLI::App& app, int&) {
  struct Options {
    std::string what;
    ConfigSource source;
  };
  auto options = std::make_shared<Options>();
  app.add_option("WHAT", options->what,
                 "an address (0x12345) or coordinates (channel=3,row=7,column=2)")
      ->required();
  app.add_option("CONFIG", options->source.file, "configuration of a stack (YAML)")->required();
  app.add_option("--set", options->source.overrides,
                 "override a value: path.to.key=value; repeatable")
      ->allow_extra_args(false);
  app.callback([options] {
    const StackConfig config = load_stack_config(options->source);
    const bool coordinates = options->what.find('=') != std::string::npos;
    const std::uint64_t address =
        coordinates ? config.map.encode(location_of(options->what, config.geometry))
                    : address_of(options->what, config.map);
    const Location location = config.map.decode(address);
    std::string text = fmt::format("address={:#x}", address);
    for (const auto& traits : kCoordinates)
      text += fmt::format(" {}={}", traits.name, location.*traits.member);
    fmt::print("{}\ncapacity_bytes={} row_bytes={} column_bytes={}\n", text, config.map.capacity(),
               config.geometry.row_bytes(), config.geometry.column_bytes);
  });
}

}  // namespace lockstep
