#include "sim/cosim/unit_trace.h"

#include "hw/pim/mac_vectors.h"

namespace lockstep {

UnitTraceFiles::UnitTraceFiles(const std::string& base)
    : vectors_(base + ".hex"), trace_(base + ".trace") {
  vectors_.write(mac_vectors_header("lockstep cosim: one bank unit of a stack"));
}

void UnitTraceFiles::on_clock(std::int64_t clock, const MacStep& step, const MacOutputs& seen) {
  vectors_.write(mac_vector(step, seen) + '\n');
  trace_.write(mac_trace(clock, step, seen));
}

void UnitTraceFiles::keep() {
  vectors_.keep();
  trace_.keep();
}

}  // namespace lockstep
