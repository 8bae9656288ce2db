// Equal channels with equal work are computed once: a controller is a function of its state and of
// what it is asked to do, so the outcome of one is that of all its equals (docs/model.md).
#pragma once

#include <memory>
#include <optional>

#include "hw/channel/channel_controller.h"

namespace lockstep {

// Remembers the latest outcome of running a lone kernel to its completion.
class EqualChannels {
 public:
  // Runs `controller`, whose only work must be one kernel, to its completion: by itself, or by
  // taking over what an equal one did.
  void run_kernel(ChannelController& controller);

  std::int64_t computed() const { return computed_; }
  std::int64_t taken_over() const { return taken_over_; }

 private:
  struct Outcome {
    ChannelController before;
    ChannelController after;
  };
  std::optional<Outcome> latest_;
  std::int64_t computed_ = 0;
  std::int64_t taken_over_ = 0;
};

}  // namespace lockstep
