// The bank units of one lockstep domain, each made when a command first needs it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tlm/contract/mac_unit.h"

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
  MacUnit& unit(int bank);
  // `clear` on the units of banks first … first + banks - 1; those not made yet are clear.
  void clear(MacOp clear, int first, int banks);

 private:
  int domain_;
  MacParameters parameters_;
  MacUnitFactory factory_;
  std::vector<std::unique_ptr<MacUnit>> units_;
};

}  // namespace lockstep
