#include "hw/pim/bank_units.h"

#include <utility>

#include "hw/pim/mac_model.h"

namespace lockstep {

std::unique_ptr<MacUnit> make_mac_model(int, int, const MacParameters& parameters) {
  return std::make_unique<MacModel>(parameters);
}

BankUnits::BankUnits(int domain, int banks, const MacParameters& parameters, MacUnitFactory factory)
    : domain_(domain),
      parameters_(parameters),
      factory_(std::move(factory)),
      units_(static_cast<std::size_t>(banks)) {}

MacUnit& BankUnits::unit(int bank) {
  auto& unit = units_[static_cast<std::size_t>(bank)];
  if (unit == nullptr) unit = factory_(domain_, bank, parameters_);
  return *unit;
}

void BankUnits::execute(int bank, Cycles when, const MacIssue& issue) {
  unit(bank).execute(issue);
  if (observer_ != nullptr) observer_->on_operation({domain_, bank, when, false, issue, {}, {}});
}

DrainBurst BankUnits::read(int bank, Cycles when, const MacDrain& drain) {
  const DrainBurst drained = unit(bank).read(drain);
  if (observer_ != nullptr)
    observer_->on_operation({domain_, bank, when, true, {}, drain, drained});
  return drained;
}

void BankUnits::clear(MacOp clear, Cycles when, int first, int banks) {
  MacIssue issue;
  issue.op = clear;
  for (int bank = first; bank < first + banks; ++bank) {
    if (units_[static_cast<std::size_t>(bank)] != nullptr) execute(bank, when, issue);
  }
}

}  // namespace lockstep
