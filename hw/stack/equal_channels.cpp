#include "hw/stack/equal_channels.h"

namespace lockstep {

void EqualChannels::run_kernel(ChannelController& controller) {
  // An observer wants to see the commands themselves; its channel still computes for the others.
  if (!controller.observed() && latest_ && latest_->before == controller) {
    controller.take_over(latest_->after);
    ++taken_over_;
    return;
  }
  if (latest_) {
    latest_->before = controller;
  } else {
    latest_.emplace(Outcome{controller, controller});
  }
  controller.advance_to_completion();
  latest_->after = controller;
  ++computed_;
}

}  // namespace lockstep
