// How long a command keeps busy what it works on, for drawing it.
#pragma once

#include "hw/channel/controller_config.h"

namespace lockstep {

constexpr Cycles command_span(Cmd cmd, const TimingSet& timing) {
  const Timing& dram = timing.dram;
  switch (cmd) {
    case Cmd::ACT:
    case Cmd::ACTsb:
    case Cmd::ACTab:
      return dram.nRCDRD;
    case Cmd::PREpb:
    case Cmd::PREsb:
    case Cmd::PREab:
      return dram.nRP;
    case Cmd::REFab:
      return dram.nRFC;
    case Cmd::REFpb:
      return dram.nRFCpb;
    // No longer than until the row may close, so that spans of one bank do not overlap.
    case Cmd::MACab:
      return dram.nCCDAB < dram.nRTP ? dram.nCCDAB : dram.nRTP;
    case Cmd::MACsb:
      return dram.nCCDSB < dram.nRTP ? dram.nCCDSB : dram.nRTP;
    case Cmd::SFM:
      return timing.pim.n_softmax_latency;
    case Cmd::RD:
    case Cmd::RDA:
    case Cmd::WR:
    case Cmd::WRA:
    case Cmd::WRGB:
    case Cmd::MVSB:
    case Cmd::MVGB:
      return dram.nBL;
  }
  return dram.nBL;
}

}  // namespace lockstep
