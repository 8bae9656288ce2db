#include "sim/cosim/unit_factory.h"

#include "hw/pim/mac_model.h"
#include "rtl/lockstep_mac.h"

namespace lockstep {

MacUnitFactory make_unit_factory(const BankUnitChoice& choice) {
  return
      [choice](int domain, int bank, const MacParameters& parameters) -> std::unique_ptr<MacUnit> {
        switch (choice.of(domain, bank)) {
          case BankUnitKind::kRtl:
            return make_rtl_unit(parameters);
          case BankUnitKind::kLockstep:
            return std::make_unique<LockstepMac>(std::make_unique<MacModel>(parameters),
                                                 make_rtl_unit(parameters));
          case BankUnitKind::kModel:
            break;
        }
        return std::make_unique<MacModel>(parameters);
      };
}

}  // namespace lockstep
