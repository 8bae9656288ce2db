#include "sim/run/interrupt.h"

#include <csignal>

namespace lockstep {
namespace {

volatile std::sig_atomic_t noted = 0;  // a signal handler can reach nothing but a global

void note(int signal) {
  noted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void note_interrupts() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

bool interrupt_noted() {
  return noted != 0;
}

}  // namespace lockstep
