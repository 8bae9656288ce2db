#include "hw/stack/equal_channels.h"

namespace lockstep {

void EqualChannels::run_kernel(ChannelController& controller) {
  if (controller.observed()) {
    controller.advance_to_completion();  // an observer wants to see the commands themselves
    return;
  }
  if (latest_ && latest_->before == controller) {
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
