#include "firmware/kernels/score.h"

#include "tlm/contract/errors.h"

namespace lockstep {

double row_hit_ratio(const Score& score) {
  ensure(score.commands > 0, "a ratio of commands is asked only where there are commands");
  return static_cast<double>(score.hits) / static_cast<double>(score.commands);
}

double bank_participation(const Score& score, const StackGeometry& geometry) {
  ensure(score.commands > 0, "a ratio of commands is asked only where there are commands");
  return static_cast<double>(score.bursts) /
         (geometry.banks_per_pseudo_channel() * static_cast<double>(score.commands));
}

double bandwidth_gbps(const Score& score, const StackGeometry& geometry,
                      const FormulaTiming& timing) {
  const double bytes_per_slot = static_cast<double>(geometry.flat_channels()) *
                                geometry.banks_per_pseudo_channel() * geometry.column_bytes;
  const double ideal_gbps = bytes_per_slot / timing.tCCD_ab_ns;
  const double hit_ratio = row_hit_ratio(score);
  const double mean_command_ns = hit_ratio * timing.tCCD_ab_ns + (1.0 - hit_ratio) * timing.tRC_ns;
  return ideal_gbps * bank_participation(score, geometry) * timing.tCCD_ab_ns / mean_command_ns;
}

}  // namespace lockstep
