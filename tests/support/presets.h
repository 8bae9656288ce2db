// Parameter sets that the hardware tests share, written out here so that no test depends on a
// configuration file.
#pragma once

#include "hw/channel/controller_config.h"

namespace lockstep {

// HBM3 at 5.2 Gb/s in clocks of 1.3 GHz, as AttAcc publishes it, but with nRC = nRAS + nRP. Units
// without latency; a test that wants one sets it.
inline TimingSet hbm3_5200() {
  TimingSet set{};
  Timing& t = set.dram;
  t.nBL = {2}, t.nCL = {19}, t.nCWL = {6};
  t.nRCDRD = {19}, t.nRCDWR = {19}, t.nRP = {19}, t.nRAS = {45}, t.nRC = {64};
  t.nCCDS = {2}, t.nCCDL = {4}, t.nCCDR = {2};
  t.nRRDS = {2}, t.nRRDL = {4}, t.nFAW = {39};
  t.nRTP = {8}, t.nWR = {21}, t.nWTRS = {8}, t.nWTRL = {11}, t.nRTW = {3};
  t.nRFC = {456}, t.nREFI = {5070}, t.nRFCpb = {260}, t.nRREFD = {8};
  t.nCCDAB = {6}, t.nCCDSB = {6};
  return set;
}

// A controller of `topology` at 5.2 Gb/s: no refresh, open pages, PIM before host, in order on the
// PIM side and a window of 32 on the host side.
inline ControllerConfig controller_5200(const Topology& topology = {1, 1, 4, 4,
                                                                    Level::kPseudoChannel}) {
  ControllerConfig config;
  config.topology = topology;
  config.timing = hbm3_5200();
  config.timing.banks_per_sid = topology.banks_per_sid();
  config.time_slice = {1000};
  config.age_limit = {100'000};
  return config;
}

}  // namespace lockstep
