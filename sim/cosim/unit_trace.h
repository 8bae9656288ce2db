// Files of one bank unit in a co-simulation, to play it again in a testbench: BASE.hex are the
// vectors for $readmemh and BASE.trace the timing trace, both as docs/rtl.md describes them.
#pragma once

#include <string>

#include "sim/cosim/bank_replay.h"
#include "sim/run/output_file.h"

namespace lockstep {

class UnitTraceFiles final : public UnitTrace {
 public:
  // Throws as OutputFile does.
  explicit UnitTraceFiles(const std::string& base);

  void on_clock(std::int64_t clock, const MacStep& step, const MacOutputs& seen) override;
  void keep();

 private:
  OutputFile vectors_;
  OutputFile trace_;
};

}  // namespace lockstep
