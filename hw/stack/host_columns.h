// Splits an access of the host into the column accesses that serve it.
#pragma once

#include <algorithm>

#include "hw/channel/host_queue.h"
#include "hw/stack/stack_config.h"

namespace lockstep {

// Calls visit(domain, request) for each column that [address, address + bytes) touches, in address
// order; a column is read or written once, however little of it is asked for. `data` holds the
// bytes of the range, or is nullptr. Requires that the range lies in the stack.
// Columns whose address has a bit of `skipped` are left out; the first must have none.
template <typename Visitor>
void for_each_column(const StackConfig& config, HostOp op, std::uint64_t address,
                     std::int64_t bytes, std::uint8_t* data, Visitor&& visit,
                     std::uint64_t skipped = 0) {
  const auto column = static_cast<std::uint64_t>(config.geometry.column_bytes);
  const std::uint64_t end = address + static_cast<std::uint64_t>(bytes);
  for (std::uint64_t at = address / column * column; at < end;
       at = ((at | skipped) + column) & ~skipped) {
    const Location location = config.map.decode(at);
    HostRequest request;
    request.op = op;
    request.at = config.bank_address(location);
    request.row = location.row;
    request.column = location.column;
    const std::uint64_t first = std::max(at, address);
    request.first_byte = static_cast<int>(first - at);
    request.bytes = static_cast<int>(std::min(at + column, end) - first);
    if (data != nullptr) request.data = data + (first - address);
    visit(location.channel / config.channels_per_domain(), request);
  }
}

}  // namespace lockstep
