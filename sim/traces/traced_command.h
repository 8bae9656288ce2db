// A command as a trace file tells it.
#pragma once

#include <cstdint>

#include "tlm/contract/command_record.h"

namespace lockstep {

struct TracedCommand {
  std::int64_t line = 0;  // of the file, from 1; of a database, the row
  Picoseconds at;         // as the file says
  CommandRecord record;   // its texts live until the next command is read
};

}  // namespace lockstep
