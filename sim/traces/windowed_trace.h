// The part of a trace between two instants: `--window 10us:12us`.
#pragma once

#include <string_view>

#include "sim/traces/trace_sink.h"

namespace lockstep {

// From `from` on, before `to`.
struct TraceWindow {
  Picoseconds from;
  Picoseconds to;
};

// `FROM:TO`, each a decimal with a unit, `ps`, `ns`, `us`, `ms` or `s`, with or without a blank
// before it. Exact in picoseconds, FROM before TO; anything else is an InputError.
TraceWindow parse_trace_window(std::string_view text);

// Passes on the commands issued in the window. `inner` outlives it.
class WindowedTrace final : public CommandSink {
 public:
  WindowedTrace(CommandSink& inner, TraceWindow window, Hertz clock)
      : inner_(inner), window_(window), clock_(clock) {}

  void record(const CommandRecord& command) override {
    const Picoseconds at = instant_of(command.cycle, clock_);
    if (at >= window_.from && at < window_.to) inner_.record(command);
  }

 private:
  CommandSink& inner_;
  TraceWindow window_;
  Hertz clock_;
};

}  // namespace lockstep
