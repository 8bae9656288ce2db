#include "hw/dram/timing.h"

#include "configs/config.h"

namespace lockstep {

Timing read_timing(ConfigSection& section, Hertz clock) {
  Timing timing{};
  for (const auto& [name, member, meaning] : kTimingFields) {
    const std::string as_time = "t" + std::string(name);
    if (section.has(as_time)) {
      timing.*member = cycles_ceil(section.required<Picoseconds>(as_time), clock);
    } else {
      timing.*member = section.required<Cycles>("n" + std::string(name));
    }
  }
  const auto key = [&](const char* name) {
    return (section.has(std::string("t") + name) ? "t" : "n") + std::string(name);
  };
  section.require(timing.nRAS + timing.nRP <= timing.nRC, key("RC"), "must be at least RAS + RP");
  section.require(timing.nCCDS <= timing.nCCDL, key("CCDL"), "must be at least CCDS");
  section.require(timing.nRRDS <= timing.nRRDL, key("RRDL"), "must be at least RRDS");
  section.require(timing.nRRDS <= timing.nFAW, key("FAW"), "must be at least RRDS");
  section.require(timing.nWTRS <= timing.nWTRL, key("WTRL"), "must be at least WTRS");
  section.require(timing.nRCDRD <= timing.nRAS, key("RAS"), "must be at least RCDRD");
  section.require(timing.nBL <= timing.nCCDS, key("CCDS"),
                  "must be at least BL: data would overlap");
  section.require(timing.nRFC < timing.nREFI, key("REFI"), "must be more than RFC");
  section.require(timing.nRFCpb < timing.nREFI, key("REFI"), "must be more than RFCpb");
  return timing;
}

}  // namespace lockstep
