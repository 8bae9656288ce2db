// Whether a channel's host bus reads or writes. Writes wait while there are reads to serve, until
// so many wait that they are served together: turning the bus costs nWTR and nRTW once, not per
// write.
#pragma once

#include <cstddef>

namespace lockstep {

// Counts of writes that wait in the window of the host queue: at `high` they are drained, down to
// `low`. high = 0: reads and writes go as they come.
struct WriteDrainConfig {
  int high = 0;
  int low = 0;
};

class WriteDrain {
 public:
  explicit WriteDrain(WriteDrainConfig config) : config_(config) {}

  // After each change of the window, with what waits in it.
  void update(std::size_t writes) {
    if (config_.high == 0) return;
    if (writes >= static_cast<std::size_t>(config_.high)) draining_ = true;
    if (writes <= static_cast<std::size_t>(config_.low)) draining_ = false;
  }
  // Which of the two may go. Never neither: while one kind waits alone, it goes.
  bool reads_go(std::size_t writes) const { return !draining_ || writes == 0; }
  bool writes_go(std::size_t reads) const { return config_.high == 0 || draining_ || reads == 0; }

 private:
  WriteDrainConfig config_;
  bool draining_ = false;
};

}  // namespace lockstep
