// From what a controller issued to the records of a trace: one line a command, in the coordinates
// of the stack.
#pragma once

#include "hw/channel/command_observer.h"
#include "hw/stack/stack_config.h"
#include "tlm/contract/command_record.h"

namespace lockstep {

class ChannelRecorder final : public CommandObserver {
 public:
  // Both outlive the recorder.
  ChannelRecorder(const StackConfig& config, int domain, CommandSink& sink)
      : config_(config), domain_(domain), sink_(sink) {}

  void on_commands(const IssuedCommands& issued) override;

 private:
  const StackConfig& config_;
  int domain_;
  CommandSink& sink_;
};

}  // namespace lockstep
