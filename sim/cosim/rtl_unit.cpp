#include "rtl/verilated_mac.h"
#include "sim/cosim/unit_factory.h"

namespace lockstep {

std::unique_ptr<MacUnit> make_rtl_unit(const MacParameters& parameters, const UnitWaves& waves) {
  return std::make_unique<VerilatedMac>(parameters, MacWaves{waves.file, waves.first, waves.last});
}

}  // namespace lockstep
