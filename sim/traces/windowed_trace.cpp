#include "sim/traces/windowed_trace.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "configs/scalar.h"
#include "firmware/workload/fields.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// The configuration's quantities have a blank before their unit; a word of a command line need not.
std::optional<Picoseconds> instant_in(std::string_view text) {
  std::string spaced(text);
  const auto unit = spaced.find_first_not_of("0123456789.");
  if (unit == std::string::npos) return std::nullopt;
  if (spaced[unit] != ' ') spaced.insert(unit, 1, ' ');
  return Scalar<Picoseconds>::parse(spaced);
}

}  // namespace

TraceWindow parse_trace_window(std::string_view text) {
  const auto colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto from = instant_in(text.substr(0, colon));
    const auto to = instant_in(text.substr(colon + 1));
    if (from && to && *from < *to) return {*from, *to};
  }
  throw InputError(fmt::format(
      "window: expected two instants, the earlier first, such as `10us:12us`, got `{}`\n",
      excerpt(text)));
}

}  // namespace lockstep
