// Whether each bank of a pseudo channel gets its refreshes: one every nREFI, with as much delay and
// as much haste as the configuration allows (JESD238, refresh postponement).
#pragma once

#include <cstdint>
#include <vector>

#include "hw/stack/stack_config.h"
#include "sim/check/findings.h"

namespace lockstep {

class RefreshLedger {
 public:
  RefreshLedger(const StackConfig& config, int channel);

  // Reports a bank that by now has waited too long, once for each refresh it lacks.
  void at(std::int64_t cycle, Findings& findings) {
    if (cycle > deadline_) report_late(cycle, "this is", findings);
  }
  // The same for a trace that ends then.
  void finish(std::int64_t cycle, Findings& findings) {
    if (cycle > deadline_) report_late(cycle, "the trace ends at", findings);
  }
  // Counts a refresh of `count` banks from `first` on, and reports one that comes too early.
  void refresh(int first, int count, const CheckedCommand& command, Findings& findings);

 private:
  void report_late(std::int64_t cycle, std::string_view moment, Findings& findings);
  void find_deadline();

  int channel_;
  std::int64_t nREFI_;
  std::int64_t postpone_;
  std::int64_t pull_in_;
  RefreshMode mode_;
  std::vector<std::int64_t> refreshes_;  // of each bank
  std::int64_t forgiven_ = 0;            // refreshes of the slowest bank reported as missing
  std::int64_t deadline_ = INT64_MAX;
};

}  // namespace lockstep
