#include "sim/check/refresh_ledger.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep {

RefreshLedger::RefreshLedger(const StackConfig& config, int channel)
    : channel_(channel),
      nREFI_(config.controller.timing.dram.nREFI.count),
      postpone_(config.controller.refresh.postpone),
      pull_in_(config.controller.refresh.pull_in),
      mode_(config.controller.refresh.mode),
      refreshes_(static_cast<std::size_t>(config.geometry.banks_per_pseudo_channel())) {
  find_deadline();
}

void RefreshLedger::find_deadline() {
  if (mode_ == RefreshMode::kNone) return;
  const auto least = *std::min_element(refreshes_.begin(), refreshes_.end());
  deadline_ = (std::max(least, forgiven_) + 1 + postpone_ + 1) * nREFI_;
}

void RefreshLedger::report_late(std::int64_t cycle, std::string_view moment, Findings& findings) {
  const auto slowest = std::min_element(refreshes_.begin(), refreshes_.end());
  findings.breach(
      Rule::kRefreshLate,
      fmt::format("bank {} of channel {} has had {} refreshes; number {} was due by cycle {}, "
                  "and {} cycle {}",
                  slowest - refreshes_.begin(), channel_, *slowest,
                  std::max(*slowest, forgiven_) + 1, deadline_, moment, cycle));
  forgiven_ = cycle / nREFI_ - postpone_ - 1;
  find_deadline();
}

// Bank by bank, the first of nREFI's refreshes comes right after it has begun: a bank may be one
// interval early without any being pulled in.
void RefreshLedger::refresh(int first, int count, const CheckedCommand& command,
                            Findings& findings) {
  const std::int64_t free = mode_ == RefreshMode::kPerBank ? 1 : 0;
  for (int bank = first; bank < first + count; ++bank) {
    const std::int64_t nth = ++refreshes_[static_cast<std::size_t>(bank)];
    const std::int64_t earliest = (nth - pull_in_ - free) * nREFI_;
    if (mode_ == RefreshMode::kNone || command.cycle >= earliest) continue;
    findings.breach(
        Rule::kRefreshEarly,
        fmt::format("refresh {} of bank {} of channel {} may not come before cycle {}, found {}",
                    nth, bank, channel_, earliest, command.cycle));
  }
  find_deadline();
}

}  // namespace lockstep
