// The score of the KV placement study: counts of all-bank commands, and M1, M2, M3 by its formula
// (docs/model.md, placement metrics). The simulated cycles are another matter.
#pragma once

#include <cstdint>

#include "tlm/contract/geometry.h"

namespace lockstep {

// Over all channels.
struct Score {
  std::int64_t bursts = 0;    // columns of single banks
  std::int64_t commands = 0;  // all-bank column commands
  std::int64_t hits = 0;      // commands that find their row open

  friend bool operator==(const Score& a, const Score& b) {
    return a.bursts == b.bursts && a.commands == b.commands && a.hits == b.hits;
  }
};

struct FormulaTiming {
  double tCCD_ab_ns;
  double tRC_ns;
};

// The constants of the study, whatever the timing preset of a run says.
constexpr FormulaTiming kStudyTiming{4.3, 45.0};

// All below need commands > 0.
// M1: hits / commands.
double row_hit_ratio(const Score& score);
// M2: bursts / (banks of a pseudo channel x commands).
double bank_participation(const Score& score, const StackGeometry& geometry);
// M3 in GB/s (10^9 B/s): the bandwidth of all banks of the stack x M2 x the share of the time that
// is not row misses.
double bandwidth_gbps(const Score& score, const StackGeometry& geometry,
                      const FormulaTiming& timing);

}  // namespace lockstep
