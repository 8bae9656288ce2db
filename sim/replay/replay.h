// Feeds a request stream to the controllers of a stack.
#pragma once

#include "hw/channel/stats.h"
#include "sim/replay/request_stream.h"
#include "tlm/contract/command_record.h"

namespace lockstep {

struct ReplayResult {
  Cycles cycles;  // last issue, or the data of the last read if that comes later
  ChannelStats stats;
  std::int64_t bytes = 0;  // columns of host and MAC commands
  int domains = 0;         // that the stream has work for
  EnergyReport energy;
};

// `sink` may be nullptr; records come domain by domain.
ReplayResult replay_stream(const RequestStream& stream, const StackConfig& config,
                           CommandSink* sink);

// {"cycles":…,"ns":…,"commands":{…},"row_hits":…,"stall_cycles":{…},…}
std::string replay_json(const ReplayResult& result, const StackConfig& config);

}  // namespace lockstep
