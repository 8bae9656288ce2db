#include "sim/check/findings.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep {

Findings::Found* Findings::known(Rule rule) {
  const auto found = std::find_if(now_.begin(), now_.end(), [&](const auto& earlier) {
    return earlier.violation.rule == rule;
  });
  return found == now_.end() ? nullptr : &*found;
}

void Findings::breach(Rule rule, std::int64_t clocks, const Stamp& since) {
  const Violation violation{command_.line, rule, clocks + since.delay, command_.cycle - since.cycle,
                            since.line,    {}};
  Found* const other = known(rule);
  if (other == nullptr) {
    now_.push_back({violation, since.op});
  } else if (violation.needed - violation.found >
             other->violation.needed - other->violation.found) {
    *other = {violation, since.op};
  }
}

void Findings::breach(Rule rule, const std::string& what, std::int64_t earlier_line) {
  if (known(rule) != nullptr) return;
  now_.push_back({{command_.line, rule, 0, 0, earlier_line,
                   fmt::format("rule {}: {}", traits(rule).name, what)},
                  Op::kAct});
}

void Findings::end() {
  for (auto& [violation, earlier] : now_) {
    ++count_;
    ++by_rule_[static_cast<std::size_t>(violation.rule)];
    if (listed_.size() == kMaxListed) continue;
    if (violation.text.empty()) {
      violation.text =
          fmt::format("rule {}: {} needs {} CK after {} (line {}), found {}",
                      traits(violation.rule).name, traits(command_.op).name, violation.needed,
                      traits(earlier).name, violation.earlier_line, violation.found);
    }
    listed_.push_back(std::move(violation));
  }
  now_.clear();
}

}  // namespace lockstep
