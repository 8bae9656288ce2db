// Routes between a host and the channels of a stack: reads and writes by the address map, kernels
// by the domain their extension names. Takes no time of its own; the channels do.
#pragma once

#include <memory>
#include <vector>

#include "tlm/contract/address_map.h"
#include "tlm/pim_protocol.h"

namespace lockstep {

class StackBus final : public sc_core::sc_module {
 public:
  HostTargetSocket<StackBus> host_target_socket{"host_target_socket"};
  PimTargetSocket<StackBus> pim_target_socket{"pim_target_socket"};
  // One of each per lockstep domain.
  std::vector<std::unique_ptr<HostInitiatorSocket<StackBus>>> host_initiator_sockets;
  std::vector<std::unique_ptr<PimInitiatorSocket<StackBus>>> pim_initiator_sockets;

  // `channels_per_domain` flat pseudo channels make one domain.
  StackBus(const sc_core::sc_module_name& name, AddressMap map, int domains,
           int channels_per_domain);

 private:
  tlm::tlm_sync_enum host_forward(int, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay);
  tlm::tlm_sync_enum pim_forward(int, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay);
  tlm::tlm_sync_enum host_backward(int domain, tlm::tlm_generic_payload& trans,
                                   tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum pim_backward(int domain, tlm::tlm_generic_payload& trans,
                                  tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(int, tlm::tlm_generic_payload& trans);
  // The domain of a read or write, or -1 after setting the error response.
  int route(tlm::tlm_generic_payload& trans) const;

  const AddressMap map_;
  const int channels_per_domain_;
  const std::uint64_t interleave_bytes_;  // consecutive addresses of one domain
};

}  // namespace lockstep
