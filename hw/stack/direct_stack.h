// A stack without the SystemC kernel: the same controllers behind the same port, for sweeps that
// run many stacks at once. Proven equal to the modules by tests.
#pragma once

#include <vector>

#include "hw/stack/equal_channels.h"
#include "hw/stack/stack_config.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

class DirectStack final : public StackPort {
 public:
  explicit DirectStack(const StackConfig& config);

  Cycles now() const override { return now_; }
  void wait(Cycles clocks) override { now_ += clocks; }
  void execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) override;
  int domains() const override { return static_cast<int>(controllers_.size()); }

  const ChannelController& controller(int domain) const {
    return controllers_[static_cast<std::size_t>(domain)];
  }
  ChannelStats total_stats() const;
  void check_identities() const;

 private:
  Cycles run_to_end(ChannelController& controller);
  Cycles run_accesses(Span<HostAccess> accesses);
  void push_access(const HostAccess& access);

  StackConfig config_;
  std::vector<ChannelController> controllers_;
  EqualChannels equal_;
  Cycles now_;
};

}  // namespace lockstep
