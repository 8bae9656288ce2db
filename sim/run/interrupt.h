// Ctrl-C or SIGTERM asks a run to end at the next step instead of killing it.
#pragma once

#include <stdexcept>

namespace lockstep {

// A run was interrupted; the text says where it stopped. Exit code 128 + noted_signal(), as shells
// expect.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// From now on SIGINT and SIGTERM are only noted; a second one ends the process at once.
void note_interrupts();
int noted_signal();  // the first one noted; 0 if none was
inline bool interrupt_noted() {
  return noted_signal() != 0;
}

}  // namespace lockstep
