// The protocol between host and stack for PIM work: a generic payload whose extension says which
// kernel goes to which lockstep domain. It has its own traits type, because the extension is
// mandatory: a base-protocol socket does not bind to it by accident.
#pragma once

#include <memory>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "tlm/contract/attention_pass.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/pim_isa.h"

namespace lockstep {

struct PimProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

// The payload's command is TLM_IGNORE_COMMAND; the kernel is complete when BEGIN_RESP comes back.
struct PimExtension final : tlm::tlm_extension<PimExtension> {
  int domain = 0;
  std::shared_ptr<const PimKernel> kernel;
  std::shared_ptr<const KernelData> data;  // nullptr: the kernel is only timed
  // With BEGIN_RESP: passes that the stack has finished since it last told, whose ever they are.
  std::vector<PassResult> results;

  static PimExtension& of(const tlm::tlm_generic_payload& trans) {
    auto* extension = trans.get_extension<PimExtension>();
    ensure(extension != nullptr, "a payload came through a PIM socket without its extension");
    return *extension;
  }

  tlm::tlm_extension_base* clone() const override { return new PimExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const PimExtension&>(other);
  }
};

constexpr unsigned kBusWidth = 256;  // bits: one 32-byte column access

template <typename Module>
using PimTargetSocket = tlm_utils::simple_target_socket_tagged<Module, kBusWidth, PimProtocol>;
template <typename Module>
using PimInitiatorSocket =
    tlm_utils::simple_initiator_socket_tagged<Module, kBusWidth, PimProtocol>;
template <typename Module>
using HostTargetSocket = tlm_utils::simple_target_socket_tagged<Module, kBusWidth>;
template <typename Module>
using HostInitiatorSocket = tlm_utils::simple_initiator_socket_tagged<Module, kBusWidth>;

}  // namespace lockstep
