// A stack without the SystemC kernel: the same controllers behind the same port, for sweeps that
// run many stacks at once. Proven equal to the modules by tests.
#pragma once

#include <memory>
#include <vector>

#include "hw/stack/equal_channels.h"
#include "hw/stack/functional_stack.h"
#include "hw/stack/half_scope.h"
#include "hw/stack/stack_config.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

class DirectStack final : public StackPort {
 public:
  explicit DirectStack(const StackConfig& config, const MacUnitFactory& factory = make_mac_model);

  Cycles now() const override { return now_; }
  void wait(Cycles clocks) override { now_ += clocks; }
  void execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) override;
  Completions completions() const override { return completions_; }
  int domains() const override { return static_cast<int>(controllers_.size()); }
  bool poke(std::uint64_t address, Span<std::uint8_t> bytes) override;
  bool peek(std::uint64_t address, std::vector<std::uint8_t>& bytes) override;
  std::vector<PassResult> take_results() override { return functional_->take_results(); }

  const ChannelController& controller(int domain) const {
    return controllers_[static_cast<std::size_t>(domain)];
  }
  // Tells `observer` of every command of a domain. Requires a stack that stores nothing.
  void observe(int domain, CommandObserver& observer) {
    ensure(config_.storage == Storage::kNone, "a functional channel is watched by its units");
    controllers_[static_cast<std::size_t>(domain)].set_observer(&observer);
  }
  void observe_units(UnitObserver* observer) { functional_->observe_units(observer); }
  ChannelStats total_stats() const;
  const FunctionalStack& functional() const { return *functional_; }
  void check_identities() const;

 private:
  void run_to_end(ChannelController& controller);
  void run_accesses(Span<DomainKernel> kernels, Span<HostAccess> accesses);
  void push_kernel(const DomainKernel& work);

  StackConfig config_;
  HalfScope half_scope_;
  std::vector<ChannelController> controllers_;
  std::unique_ptr<FunctionalStack> functional_;  // the controllers hold pointers into it
  EqualChannels equal_;
  Cycles now_;
  Completions completions_;
};

}  // namespace lockstep
