// The traces that are a line a command: canonical CSV, DRAMsim3, Ramulator.
#pragma once

#include <memory>
#include <string>

#include "hw/stack/stack_config.h"
#include "sim/traces/trace_sink.h"

namespace lockstep {

// tlm/contract/command_csv.h
std::unique_ptr<TraceSink> make_csv_trace(const std::string& path, const StackConfig& config);
// `clock command channel rank bank_group bank row column`, as DRAMsim3 writes with CMD_TRACE. The
// rank is the SID, the channel a pseudo channel, -1 a coordinate that the command has not.
std::unique_ptr<TraceSink> make_dramsim3_trace(const std::string& path, const StackConfig& config);
// The CSV of Ramulator 2's CmdTraceRecorder, all channels in one file. `type` is 0 for reads, 1 for
// writes, -1 for others; `source` 0 host, 1 PIM, 2 refresh.
std::unique_ptr<TraceSink> make_ramulator_trace(const std::string& path, const StackConfig& config);

}  // namespace lockstep
