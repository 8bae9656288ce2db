// A command trace in a file of some format.
#pragma once

#include "tlm/contract/command_record.h"

namespace lockstep {

class TraceSink : public CommandSink {
 public:
  // Completes the file; InputError if it cannot be written. Without it the destructor completes
  // the file as well, so that a run that ends early leaves a valid one, but says nothing.
  virtual void close() = 0;
};

}  // namespace lockstep
