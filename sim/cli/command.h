// A command of the program. To add one: a function that declares it, and its row in commands.cpp.
#pragma once

#include <string_view>

#include <CLI/CLI.hpp>

#include "tlm/contract/span.h"

namespace lockstep {

// Exit codes, as --help lists them.
constexpr int kExitDone = 0;
constexpr int kExitCheckFailed = 1;
constexpr int kExitBadInput = 2;
constexpr int kExitCannot = 3;
constexpr int kExitSignal = 128;  // plus the number of the signal that interrupted the run

struct Command {
  std::string_view name;
  std::string_view summary;
  // Adds options to `app` and a callback that runs the command and sets `exit_code`; the callback
  // may throw, main() turns that into a message and a code.
  void (*declare)(CLI::App& app, int& exit_code);
};

Span<Command> commands();

}  // namespace lockstep
