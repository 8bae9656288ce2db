#include "sim/traces/line_faults.h"

#include <fmt/format.h>

#include "firmware/workload/fields.h"
#include "tlm/contract/errors.h"

namespace lockstep {

void LineFaults::add(std::int64_t line, std::size_t column, const std::string& message) {
  if (++count_ > kMaxListedLines) return;
  text_ += fmt::format("{}:{}:{}: {}\n", file_, line, column, message);
}

void LineFaults::throw_if_any() const {
  if (count_ == 0) return;
  const std::int64_t more = count_ - kMaxListedLines;
  throw InputError(more <= 0 ? text_
                             : text_ + fmt::format("{}: {} more faults not shown\n", file_, more));
}

std::string mismatch(std::string_view field, std::string_view expected, std::string_view got) {
  return fmt::format("`{}`: expected {}, got `{}`", field, expected, excerpt(got));
}

}  // namespace lockstep
