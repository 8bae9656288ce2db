// Value change dump (IEEE 1364-2005, 18) in picoseconds: for each pseudo channel the command on the
// row bus and on the column bus with its coordinates, the open row of each bank, and what is busy.
// A save file for GTKWave, `.gtkw`, is written beside it. Value changes must be in order of time
// over all channels, so the commands are held, 40 bytes each, until the trace is closed.
#pragma once

#include <memory>
#include <string>

#include "hw/stack/stack_config.h"
#include "sim/traces/trace_sink.h"

namespace lockstep {

std::unique_ptr<TraceSink> make_vcd_trace(const std::string& path, const StackConfig& config);

}  // namespace lockstep
