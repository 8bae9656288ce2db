// Bank units of a functional stack as a configuration chooses them: model, RTL, or both.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hw/pim/bank_units.h"
#include "hw/pim/unit_choice.h"

namespace lockstep {

// A waveform of clocks first … last of a unit; no file, no waveform.
struct UnitWaves {
  std::string file;
  std::int64_t first = 0;
  std::int64_t last = INT64_MAX;
};

// The Verilated unit. Throws Unsupported in a program built without Verilator, or whose waveforms
// are of another format.
std::unique_ptr<MacUnit> make_rtl_unit(const MacParameters& parameters,
                                       const UnitWaves& waves = {});

// The factory throws Unsupported as make_rtl_unit does.
MacUnitFactory make_unit_factory(const BankUnitChoice& choice);

}  // namespace lockstep
