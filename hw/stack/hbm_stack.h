// An HBM3 stack with PIM: the bus, and a channel module per lockstep domain. The one thing a host
// binds to.
#pragma once

#include <memory>
#include <vector>

#include "hw/stack/channel_module.h"
#include "tlm/stack_bus.h"

namespace lockstep {

class HbmStack final : public sc_core::sc_module {
 public:
  // `factory` makes the bank units of a stack that stores (StackConfig::storage).
  HbmStack(const sc_core::sc_module_name& name, const StackConfig& config, Detail detail,
           const MacUnitFactory& factory = make_mac_model);

  StackBus& bus() { return bus_; }
  Clock& clock() { return clock_; }
  const StackConfig& config() const { return config_; }
  int domains() const { return static_cast<int>(channels_.size()); }
  const ChannelController& controller(int domain) const {
    return channels_[static_cast<std::size_t>(domain)]->controller();
  }

  void record_to(CommandSink* sink);
  void observe_units(UnitObserver* observer) { functional_.observe_units(observer); }
  // Ends a run: issues the refreshes that are due, and holds the identities of every channel.
  void finish();
  ChannelStats total_stats() const;
  const FunctionalStack& functional() const { return functional_; }

 private:
  const StackConfig config_;
  Clock clock_;
  EqualChannels equal_;
  FunctionalStack functional_;
  HalfScope half_scope_;
  StackBus bus_;
  std::vector<std::unique_ptr<ChannelModule>> channels_;
};

}  // namespace lockstep
