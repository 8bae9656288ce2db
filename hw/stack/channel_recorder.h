// From what a controller issued to the records of a trace: one line a command, in the coordinates
// of the stack.
#pragma once

#include "hw/channel/command_observer.h"
#include "hw/stack/stack_config.h"
#include "tlm/contract/command_record.h"

namespace lockstep {

class ChannelRecorder final : public CommandObserver {
 public:
  // `sink` outlives the recorder.
  ChannelRecorder(const StackConfig& config, int domain, CommandSink& sink)
      : first_channel_(domain * config.channels_per_domain()), sink_(sink) {}

  void on_commands(const IssuedCommands& issued) override;

 private:
  int first_channel_;
  CommandSink& sink_;
};

}  // namespace lockstep
