// The bank units of one lockstep domain, each made when a command first needs it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hw/pim/unit_observer.h"

namespace lockstep {

// Makes the unit beside bank `bank` (its index in the domain).
using MacUnitFactory =
    std::function<std::unique_ptr<MacUnit>(int domain, int bank, const MacParameters& parameters)>;

// The golden model for every bank.
std::unique_ptr<MacUnit> make_mac_model(int domain, int bank, const MacParameters& parameters);

class BankUnits {
 public:
  BankUnits(int domain, int banks, const MacParameters& parameters, MacUnitFactory factory);

  const MacParameters& parameters() const { return parameters_; }
  // Told of every operation from now on; nullptr: nobody.
  void set_observer(UnitObserver* observer) { observer_ = observer; }

  // For the command of clock `when`.
  void execute(int bank, Cycles when, const MacIssue& issue);
  DrainBurst read(int bank, Cycles when, const MacDrain& drain);
  // `clear` on the units of banks first … first + banks - 1; those not made yet are clear.
  void clear(MacOp clear, Cycles when, int first, int banks);
  // Everything before `when` has been done.
  void progress(Cycles when) {
    if (observer_ != nullptr) observer_->on_progress(domain_, when);
  }

 private:
  MacUnit& unit(int bank);

  int domain_;
  UnitObserver* observer_ = nullptr;
  MacParameters parameters_;
  MacUnitFactory factory_;
  std::vector<std::unique_ptr<MacUnit>> units_;
};

}  // namespace lockstep
