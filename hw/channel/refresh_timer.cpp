#include "hw/channel/refresh_timer.h"

#include <algorithm>
#include <numeric>

namespace lockstep {

RefreshTimer::RefreshTimer(const ControllerConfig& config)
    : config_(config.refresh),
      topology_(config.topology),
      nREFI_(config.timing.dram.nREFI),
      per_interval_(config.refresh.mode == RefreshMode::kPerBank
                        ? topology_.count(Level::kBank) / topology_.pseudo_channels
                        : 1),
      issued_(static_cast<std::size_t>(topology_.pseudo_channels)) {
  if (config_.mode != RefreshMode::kNone) find_next();
}

Cycles RefreshTimer::due(std::int64_t nth) const {
  return {nth * nREFI_.count / per_interval_};
}

void RefreshTimer::find_next() {
  const auto least = std::min_element(issued_.begin(), issued_.end());
  next_ = static_cast<int>(least - issued_.begin());
  forced_ = due(*least + 1 + config_.postpone);
  allowed_ = due(std::max<std::int64_t>(0, *least + 1 - config_.pull_in));
}

BankAddress RefreshTimer::bank() const {
  const auto index = issued_[static_cast<std::size_t>(next_)] % per_interval_;
  return topology_.address(static_cast<int>(next_ * per_interval_ + index));
}

void RefreshTimer::issued() {
  ++issued_[static_cast<std::size_t>(next_)];
  find_next();
}

std::int64_t RefreshTimer::issued_total() const {
  return std::accumulate(issued_.begin(), issued_.end(), std::int64_t{0});
}

}  // namespace lockstep
