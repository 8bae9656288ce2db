// What commands make the bank units do, told with the clock of each command: co-simulation plays it
// again on units that have a clock (sim/cosim).
#pragma once

#include "tlm/contract/mac_unit.h"
#include "tlm/contract/units.h"

namespace lockstep {

// An operation, or a drain, of one bank unit.
struct UnitOperation {
  int domain = 0;
  int bank = 0;  // in the domain
  Cycles when;   // of the command; of a clear, the command that needs it done
  bool drains = false;
  MacIssue issue;
  MacDrain drain;
  DrainBurst drained{};  // what the stack went on with
};

class UnitObserver {
 public:
  virtual ~UnitObserver() = default;
  // Those of different pipelines of one bank (scores; scalars and lanes) each come in the order of
  // `when`; one against the other they may not.
  virtual void on_operation(const UnitOperation& operation) = 0;
  // All operations of `domain` before `when` have been told.
  virtual void on_progress(int domain, Cycles when) = 0;
};

}  // namespace lockstep
