#include "tlm/stack_bus.h"

#include <string>

namespace lockstep {
namespace {

// Bytes that stay in one domain from an aligned address on: below the lowest channel bit.
std::uint64_t interleave_of(const AddressMap& map) {
  const std::uint64_t channel = map.mask(Coordinate::kChannel);
  return channel == 0 ? map.capacity() : channel & (~channel + 1);
}

}  // namespace

StackBus::StackBus(const sc_core::sc_module_name& name, AddressMap map, int domains,
                   int channels_per_domain)
    : sc_module(name),
      map_(std::move(map)),
      channels_per_domain_(channels_per_domain),
      interleave_bytes_(interleave_of(map_)) {
  host_target_socket.register_nb_transport_fw(this, &StackBus::host_forward, 0);
  host_target_socket.register_transport_dbg(this, &StackBus::debug, 0);
  pim_target_socket.register_nb_transport_fw(this, &StackBus::pim_forward, 0);
  for (int domain = 0; domain < domains; ++domain) {
    const std::string number = std::to_string(domain);
    host_initiator_sockets.push_back(std::make_unique<HostInitiatorSocket<StackBus>>(
        ("host_initiator_socket_" + number).c_str()));
    host_initiator_sockets.back()->register_nb_transport_bw(this, &StackBus::host_backward, domain);
    pim_initiator_sockets.push_back(
        std::make_unique<PimInitiatorSocket<StackBus>>(("pim_initiator_socket_" + number).c_str()));
    pim_initiator_sockets.back()->register_nb_transport_bw(this, &StackBus::pim_backward, domain);
  }
}

int StackBus::route(tlm::tlm_generic_payload& trans) const {
  const std::uint64_t first = trans.get_address();
  const std::uint64_t length = trans.get_data_length();
  if (length == 0 || first >= map_.capacity() || length > map_.capacity() - first) {
    trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return -1;
  }
  if (first / interleave_bytes_ != (first + length - 1) / interleave_bytes_) {
    trans.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return -1;
  }
  return map_.decode(first).channel / channels_per_domain_;
}

tlm::tlm_sync_enum StackBus::host_forward(int, tlm::tlm_generic_payload& trans,
                                          tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const int domain = route(trans);
  if (domain < 0) return tlm::TLM_COMPLETED;
  return (*host_initiator_sockets[static_cast<std::size_t>(domain)])
      ->nb_transport_fw(trans, phase, delay);
}

tlm::tlm_sync_enum StackBus::pim_forward(int, tlm::tlm_generic_payload& trans,
                                         tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const int domain = PimExtension::of(trans).domain;
  if (domain < 0 || static_cast<std::size_t>(domain) >= pim_initiator_sockets.size()) {
    trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  return (*pim_initiator_sockets[static_cast<std::size_t>(domain)])
      ->nb_transport_fw(trans, phase, delay);
}

tlm::tlm_sync_enum StackBus::host_backward(int, tlm::tlm_generic_payload& trans,
                                           tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return host_target_socket->nb_transport_bw(trans, phase, delay);
}

tlm::tlm_sync_enum StackBus::pim_backward(int, tlm::tlm_generic_payload& trans,
                                          tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return pim_target_socket->nb_transport_bw(trans, phase, delay);
}

unsigned StackBus::debug(int, tlm::tlm_generic_payload& trans) {
  const int domain = route(trans);
  if (domain < 0) return 0;
  return (*host_initiator_sockets[static_cast<std::size_t>(domain)])->transport_dbg(trans);
}

}  // namespace lockstep
