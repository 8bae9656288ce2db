#include "hw/energy/energy.h"

#include <numeric>
#include <string>

#include "configs/config.h"

namespace lockstep {
namespace {

constexpr double kFemtojoulesPerPicojoule = 1000;

}  // namespace

double EnergyReport::total_pj() const {
  return std::accumulate(picojoules.begin(), picojoules.end(), background_pj);
}

EnergyReport energy_of(const EnergyTable& table, const ChannelStats& stats,
                       const Topology& topology, Cycles duration, Hertz clock) {
  EnergyReport report;
  for (std::size_t i = 0; i < kEnergyTermCount; ++i) {
    const auto& term = kEnergyTerms[i];
    report.picojoules[i] = static_cast<double>(term.events(stats, topology)) *
                           static_cast<double>((table.*term.each).count) / kFemtojoulesPerPicojoule;
  }
  // 1 uW for 1 ns is 1 fJ.
  report.background_pj = static_cast<double>(table.background.count) *
                         nanoseconds(duration, clock) / kFemtojoulesPerPicojoule;
  return report;
}

EnergyTable read_energy(ConfigSection section) {
  const Femtojoules most{1'000'000'000'000};
  EnergyTable table;
  for (const auto& term : kEnergyTerms) {
    table.*term.each = section.required_in<Femtojoules>(std::string(term.key), {0}, most);
  }
  table.background = section.required_in<Microwatts>("background", {0}, {1'000'000'000});
  return table;
}

}  // namespace lockstep
