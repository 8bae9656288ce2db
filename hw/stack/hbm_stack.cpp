#include "hw/stack/hbm_stack.h"

#include <string>

namespace lockstep {

HbmStack::HbmStack(const sc_core::sc_module_name& name, const StackConfig& config, Detail detail,
                   const MacUnitFactory& factory)
    : sc_module(name),
      config_(config),
      clock_(config.clock),
      functional_(config, factory),
      half_scope_(config),
      bus_("bus", config.map, config.domains(), config.channels_per_domain()) {
  for (int domain = 0; domain < config_.domains(); ++domain) {
    const auto index = static_cast<std::size_t>(domain);
    channels_.push_back(
        std::make_unique<ChannelModule>(("channel_" + std::to_string(domain)).c_str(), config_,
                                        domain, detail, clock_, equal_, functional_, half_scope_));
    bus_.host_initiator_sockets[index]->bind(channels_.back()->host_target_socket);
    bus_.pim_initiator_sockets[index]->bind(channels_.back()->pim_target_socket);
  }
}

void HbmStack::record_to(CommandSink* sink) {
  for (auto& channel : channels_) channel->record_to(sink);
}

void HbmStack::finish() {
  for (auto& channel : channels_) {
    channel->catch_up();
    channel->controller().check_identities();
  }
  functional_.check_settled();
}

ChannelStats HbmStack::total_stats() const {
  ChannelStats total;
  for (const auto& channel : channels_) total += channel->controller().stats();
  return total;
}

}  // namespace lockstep
