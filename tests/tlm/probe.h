// An initiator for protocol tests: sends what it is told and writes down every phase that comes
// back. It answers BEGIN_RESP at once, or leaves END_RESP to the test.
#pragma once

#include <vector>

#include "hw/stack/hbm_stack.h"
#include "tlm/payload_pool.h"

namespace lockstep {

enum class Answer : std::uint8_t { kAtOnce, kLater };

class Probe final : public sc_core::sc_module {
 public:
  HostInitiatorSocket<Probe> host_initiator_socket{"host_initiator_socket"};
  PimInitiatorSocket<Probe> pim_initiator_socket{"pim_initiator_socket"};

  struct Response {
    tlm::tlm_generic_payload* trans;
    sc_core::sc_time when;
    tlm::tlm_response_status status;
  };
  struct Sent {
    tlm::tlm_sync_enum answer;
    tlm::tlm_phase phase;
  };

  Probe(const sc_core::sc_module_name& name, HbmStack& stack, Answer answer = Answer::kAtOnce)
      : sc_module(name), answer_(answer) {
    host_initiator_socket.register_nb_transport_bw(this, &Probe::backward, 0);
    pim_initiator_socket.register_nb_transport_bw(this, &Probe::backward, 1);
    host_initiator_socket.bind(stack.bus().host_target_socket);
    pim_initiator_socket.bind(stack.bus().pim_target_socket);
  }

  // A read of `bytes` from `address`, to be changed and sent by the test.
  tlm::tlm_generic_payload& read(std::uint64_t address, unsigned bytes = 32) {
    auto& trans = pool_.take();
    trans.set_command(tlm::TLM_READ_COMMAND);
    trans.set_address(address);
    trans.set_data_length(bytes);
    trans.set_streaming_width(bytes);
    return trans;
  }
  tlm::tlm_generic_payload& kernel(int domain, PimKernel runs) {
    auto& trans = pool_.take();
    trans.set_command(tlm::TLM_IGNORE_COMMAND);
    auto* extension = trans.get_extension<PimExtension>();
    if (extension == nullptr) {
      extension = new PimExtension;  // owned by the payload
      trans.set_extension(extension);
    }
    extension->domain = domain;
    extension->kernel = std::make_shared<const PimKernel>(std::move(runs));
    return trans;
  }

  Sent send(tlm::tlm_generic_payload& trans, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    return forward(host_initiator_socket, trans, tlm::BEGIN_REQ, delay);
  }
  Sent send_kernel(tlm::tlm_generic_payload& trans,
                   sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    return forward(pim_initiator_socket, trans, tlm::BEGIN_REQ, delay);
  }
  Sent end_response(tlm::tlm_generic_payload& trans) {
    return forward(host_initiator_socket, trans, tlm::END_RESP, sc_core::SC_ZERO_TIME);
  }

  const std::vector<Response>& responses() const { return responses_; }

 private:
  template <typename Socket>
  Sent forward(Socket& socket, tlm::tlm_generic_payload& trans, tlm::tlm_phase phase,
               sc_core::sc_time delay) {
    const auto answer = socket->nb_transport_fw(trans, phase, delay);
    return {answer, phase};
  }
  tlm::tlm_sync_enum backward(int, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                              sc_core::sc_time&) {
    responses_.push_back({&trans, sc_core::sc_time_stamp(), trans.get_response_status()});
    if (answer_ == Answer::kLater) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }

  const Answer answer_;
  PayloadPool pool_;
  std::vector<Response> responses_;
};

}  // namespace lockstep
