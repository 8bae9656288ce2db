// Reads traces back from the formats they are written in: for conversion, and for tests that
// nothing is lost on the way.
#pragma once

#include <functional>
#include <string>

#include "hw/stack/stack_config.h"
#include "sim/traces/traced_command.h"

namespace lockstep {

using CommandVisitor = std::function<void(const TracedCommand&)>;

// Contract: TraceWriter::read in trace_writers.h.
void read_csv_trace(const std::string& path, const StackConfig& config,
                    const CommandVisitor& visit);
void read_dramsim3_trace(const std::string& path, const StackConfig& config,
                         const CommandVisitor& visit);
void read_ramulator_trace(const std::string& path, const StackConfig& config,
                          const CommandVisitor& visit);
void read_perfetto_trace(const std::string& path, const StackConfig& config,
                         const CommandVisitor& visit);
void read_vcd_trace(const std::string& path, const StackConfig& config,
                    const CommandVisitor& visit);
void read_tdb_trace(const std::string& path, const StackConfig& config,
                    const CommandVisitor& visit);

}  // namespace lockstep
