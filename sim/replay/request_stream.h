// A request stream as CSV: op,pseudo_channel,bank,row,col and, if wanted, arrival. LD and ST are
// reads and writes of the host, the rest are PIM operations; `bank` counts over SIDs, bank groups
// and banks, `arrival` is a clock CK that never decreases from line to line. Without it all arrives
// at clock 0.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hw/channel/host_queue.h"
#include "hw/stack/stack_config.h"
#include "tlm/contract/pim_isa.h"

namespace lockstep {

// PIM operations of a domain that arrive together.
struct TimedKernel {
  Cycles arrival;
  PimKernel runs;
};

// What one lockstep domain is asked, in the order of the file, and so of arrival.
struct DomainStream {
  std::vector<TimedKernel> kernels;  // each later than the one before
  std::vector<HostRequest> requests;
};

struct RequestStream {
  std::map<int, DomainStream> domains;
  std::int64_t requests = 0;  // lines, barriers included
};

// Throws InputError with every bad line (the first 20) as `file:line:column: …`, and for a file
// without requests.
RequestStream read_request_stream(const std::string& file, const StackConfig& config);

}  // namespace lockstep
