// The formats a command trace can be written in, and read back from.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sim/traces/perfetto_trace.h"
#include "sim/traces/tdb_trace.h"
#include "sim/traces/text_traces.h"
#include "sim/traces/trace_readers.h"
#include "sim/traces/vcd_trace.h"

namespace lockstep {

struct TraceWriter {
  std::string_view name;       // for --format
  std::string_view extension;  // with its dot
  std::string_view description;
  // A trace in a new file at `path`; InputError if it cannot be created.
  std::unique_ptr<TraceSink> (*make)(const std::string& path, const StackConfig& config);
  // Calls visit for each command of a file in this format, in its order. InputError for what is no
  // such file. Texts that the format does not keep are empty.
  void (*read)(const std::string& path, const StackConfig& config, const CommandVisitor& visit);
};

constexpr TraceWriter kTraceWriters[] = {
    // clang-format off
    {"csv",       ".csv",   "canonical: a line a command, as `lockstep check` reads it", make_csv_trace,       read_csv_trace},
    {"dramsim3",  ".trace", "DRAMsim3's command trace",                                  make_dramsim3_trace,  read_dramsim3_trace},
    {"ramulator", ".csv",   "Ramulator 2's command trace",                               make_ramulator_trace, read_ramulator_trace},
    {"perfetto",  ".json",  "Chrome trace for ui.perfetto.dev",                          make_perfetto_trace,  read_perfetto_trace},
    {"vcd",       ".vcd",   "waveforms for GTKWave or Surfer, with a .gtkw save file",   make_vcd_trace,       read_vcd_trace},
    {"tdb",       ".tdb",   "SQLite database for DRAMSys's Trace Analyzer",              make_tdb_trace,       read_tdb_trace},
    // clang-format on
};

}  // namespace lockstep
