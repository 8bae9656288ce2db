// When refreshes are due. Each pseudo channel owes one REFab every nREFI, or one REFpb every nREFI
// divided by its banks; some may be postponed while there is work, or pulled in while there is
// none.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/channel/controller_config.h"

namespace lockstep {

class RefreshTimer {
 public:
  explicit RefreshTimer(const ControllerConfig& config);

  // The pseudo channel whose next refresh comes first, or -1 without refresh.
  int next_pseudo_channel() const { return next_; }
  // From this clock on, its refresh goes before any other command.
  Cycles forced() const { return forced_; }
  // From this clock on, it may go while there is no work.
  Cycles allowed() const { return allowed_; }
  // Since when it has been due, and when the one after it is.
  Cycles due() const { return due(issued_[static_cast<std::size_t>(next_)] + 1); }
  Cycles following_due() const { return due(issued_[static_cast<std::size_t>(next_)] + 2); }
  // The bank whose turn it is (per-bank refresh).
  BankAddress bank() const;
  void issued();

  std::int64_t issued_total() const;
  friend bool operator==(const RefreshTimer& a, const RefreshTimer& b) {
    return a.issued_ == b.issued_;
  }

 private:
  Cycles due(std::int64_t nth) const;  // of a pseudo channel, counted from 1
  void find_next();

  RefreshConfig config_;
  Topology topology_;
  Cycles nREFI_;
  std::int64_t per_interval_;         // refreshes of one pseudo channel in nREFI
  std::vector<std::int64_t> issued_;  // per pseudo channel
  int next_ = -1;
  Cycles forced_{INT64_MAX};
  Cycles allowed_{INT64_MAX};
};

}  // namespace lockstep
