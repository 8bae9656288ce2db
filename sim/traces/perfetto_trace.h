// Chrome trace JSON, as ui.perfetto.dev and chrome://tracing read it: a process a pseudo channel, a
// thread a bank or unit, a complete event a command, and counters of open banks and row hits.
#pragma once

#include <memory>
#include <string>

#include "hw/stack/stack_config.h"
#include "sim/traces/trace_sink.h"

namespace lockstep {

std::unique_ptr<TraceSink> make_perfetto_trace(const std::string& path, const StackConfig& config);

}  // namespace lockstep
