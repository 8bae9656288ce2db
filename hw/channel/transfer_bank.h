// Which bank a transfer of a run of moves concerns.
#pragma once

#include <cstdint>

#include "hw/dram/topology.h"
#include "tlm/contract/pim_isa.h"

namespace lockstep {

// The `done`-th transfer goes round `spread` banks, bank groups first, so that consecutive ones are
// nCCDS apart.
inline BankAddress transfer_bank(const PimRun& run, std::int64_t done, const Topology& topology) {
  BankAddress at{run.pseudo_channel, run.stack_id, run.bank_group, run.bank};
  if (run.spread <= 1) return at;
  const int index = static_cast<int>(done % run.spread);
  at.bank_group = (at.bank_group + index) % topology.bank_groups;
  at.bank = (at.bank + index / topology.bank_groups) % topology.banks;
  return at;
}

}  // namespace lockstep
