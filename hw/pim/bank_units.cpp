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

void BankUnits::clear(MacOp clear, int first, int banks) {
  MacIssue issue;
  issue.op = clear;
  for (int bank = first; bank < first + banks; ++bank) {
    const auto& unit = units_[static_cast<std::size_t>(bank)];
    if (unit != nullptr) unit->execute(issue);
  }
}

}  // namespace lockstep
