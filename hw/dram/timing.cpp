#include "hw/dram/timing.h"

#include "configs/config.h"

namespace lockstep {
namespace {

constexpr Picoseconds kLongestTime{1'000'000'000'000};  // 1 s: any clock's count of it fits

}  // namespace

Timing read_timing(ConfigSection& section, Hertz clock) {
  Timing timing{};
  for (const auto& [name, member, meaning, least] : kTimingFields) {
    const std::string as_time = "t" + std::string(name);
    if (section.has(as_time)) {
      const auto time = section.required_in<Picoseconds>(as_time, {0}, kLongestTime);
      timing.*member = cycles_ceil(time, clock);
      section.require(timing.*member >= Cycles{least} && timing.*member <= kLongestDelay, as_time,
                      "is " + std::to_string((timing.*member).count) + " CK; expected from " +
                          std::to_string(least) + " to " + std::to_string(kLongestDelay.count));
    } else {
      timing.*member = section.required_in<Cycles>("n" + std::string(name), {least}, kLongestDelay);
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
