#include "sim/traces/command_names.h"

#include "tlm/contract/errors.h"

namespace lockstep {

Cmd command_of(std::string_view name) {
  for (const auto& command : kCommands) {
    if (command.name == name) return command.cmd;
  }
  throw InternalError("a command trace holds `" + std::string(name) + "`, which is no command");
}

}  // namespace lockstep
