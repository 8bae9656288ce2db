// One bank unit on its own clock: plays what the commands of a stack make the unit do, each command
// in the clock of the unit it falls into.
//
// A column slot is unit_period CK; a command of clock t belongs to slot ceil(t / unit_period), so
// that commands as far apart as the stack's timing keeps them have slots as far apart as
// kMacTimings wants. A slot is as many clocks of the unit as one column access serves queries.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "hw/pim/mac_stimulus.h"
#include "hw/pim/unit_observer.h"

namespace lockstep {

// The unit did not do what it should: where, when and what, for the user.
struct CosimDifference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Is shown every clock of a unit.
class UnitTrace {
 public:
  virtual ~UnitTrace() = default;
  virtual void on_clock(std::int64_t clock, const MacStep& step, const MacOutputs& seen) = 0;
};

struct UnitClock {
  Cycles period;            // of a column slot
  int clocks_a_column = 1;  // of the unit, in a slot
};

struct ReplayCounts {
  std::int64_t clocks = 0;
  std::int64_t beats = 0;  // operations issued
  std::int64_t results = 0;
  std::int64_t drains = 0;
  std::int64_t late = 0;  // operations and drains that a clock later than their own had to serve

  ReplayCounts& operator+=(const ReplayCounts& other);
};

class BankReplay {
 public:
  // `unit` has been reset and not been used. `trace` may be nullptr and outlives the replay.
  BankReplay(int domain, int bank, UnitClock clock, std::unique_ptr<MacUnit> unit,
             UnitTrace* trace);

  void add(const UnitOperation& operation) { waiting_.emplace(operation.when, operation); }
  // Plays what was added of before `when`. Throws CosimDifference.
  void play_until(Cycles when);
  // Plays the rest, and lets the pipeline run empty.
  void finish();

  const ReplayCounts& counts() const { return counts_; }
  const MacUnit& unit() const { return *unit_; }

 private:
  struct InFlight {
    std::uint16_t tag;
    std::int64_t issued;
  };

  std::int64_t arrival(Cycles when) const;
  void play(const UnitOperation& operation);
  void idle_until(std::int64_t clock);
  const MacOutputs& clock(const MacStep& step);
  void check_result(const MacOutputs& seen);
  [[noreturn]] void fail(const std::string& what) const;

  int domain_;
  int bank_;
  UnitClock clock_;
  std::unique_ptr<MacUnit> unit_;
  const MacTiming& timing_;
  UnitTrace* trace_;
  std::multimap<Cycles, UnitOperation> waiting_;
  std::deque<InFlight> in_flight_;
  std::int64_t now_ = 0;  // clocks done
  std::uint16_t tag_ = 0;
  ReplayCounts counts_;
};

}  // namespace lockstep
