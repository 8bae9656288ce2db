#include "sim/run/interrupt.h"

#include <csignal>

namespace lockstep {
namespace {

volatile std::sig_atomic_t noted = 0;  // a signal handler can reach nothing but a global

void note(int signal) {
  if (noted == 0) noted = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void note_interrupts() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

int noted_signal() {
  return noted;
}

}  // namespace lockstep
