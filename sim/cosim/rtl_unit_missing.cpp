// Stands in for rtl_unit.cpp where Verilator was missing.
#include "sim/cosim/unit_factory.h"
#include "tlm/contract/errors.h"

namespace lockstep {

std::unique_ptr<MacUnit> make_rtl_unit(const MacParameters&, const UnitWaves&) {
  throw Unsupported(
      "this program was built without Verilator, so it has no bank unit in RTL (docs/rtl.md)");
}

}  // namespace lockstep
