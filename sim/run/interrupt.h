// Ctrl-C asks a run to end at the next step instead of killing it.
#pragma once

#include <stdexcept>

namespace lockstep {

// A run was interrupted; the text says where it stopped. Exit code 130, as shells expect.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// From now on SIGINT and SIGTERM are only noted; a second one ends the process at once.
void note_interrupts();
bool interrupt_noted();

}  // namespace lockstep
