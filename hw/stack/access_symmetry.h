// Which domains see the same column accesses: those that differ only in channel bits below the
// alignment of every access. One of them, the leader, stands for all.
#pragma once

#include "hw/stack/host_columns.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

class AccessSymmetry {
 public:
  // `config` outlives the object.
  AccessSymmetry(const StackConfig& config, Span<HostAccess> accesses);
  // Every domain its own leader.
  static AccessSymmetry none(const StackConfig& config) { return {config, {nullptr, 0}}; }

  std::size_t leader(std::size_t domain) const { return domain & ~shared_domain_bits_; }

  // Calls visit(leader, request) for each column of an access to the leaders' channels, in address
  // order.
  template <typename Visitor>
  void for_each_request(const HostAccess& access, Cycles arrival, Visitor&& visit) const {
    const HostOp op = access.kind == AccessKind::kRead ? HostOp::kRead : HostOp::kWrite;
    for_each_column(
        config_, op, access.address, access.bytes, access.data,
        [&](int domain, HostRequest request) {
          request.arrival = arrival;
          visit(domain, request);
        },
        skipped_);
  }

 private:
  const StackConfig& config_;
  std::size_t shared_domain_bits_ = 0;
  std::uint64_t skipped_ = 0;  // address bits of those domain bits
};

}  // namespace lockstep
