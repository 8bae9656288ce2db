// SQLite database in the layout that DRAMSys writes and its Trace Analyzer reads:
// each command is a transaction of one phase. PIM commands are drawn as the DRAM phase they most
// resemble; what they are stands in our own table LockstepCommands, which the Analyzer passes over.
#pragma once

#include <memory>
#include <string>

#include "hw/stack/stack_config.h"
#include "sim/traces/trace_sink.h"

namespace lockstep {

std::unique_ptr<TraceSink> make_tdb_trace(const std::string& path, const StackConfig& config);

}  // namespace lockstep
