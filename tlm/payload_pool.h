// Generic payloads for one initiator, used again after release(): nothing is allocated in the
// steady state. Each keeps its PimExtension, which plain reads and writes leave empty.
#pragma once

#include <memory>
#include <vector>

#include "tlm/pim_protocol.h"

namespace lockstep {

class PayloadPool final : public tlm::tlm_mm_interface {
 public:
  // A payload with reset attributes and one reference, to be given back by release().
  tlm::tlm_generic_payload& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
      free_.push_back(all_.back().get());
    }
    auto& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_dmi_allowed(false);
    payload.set_byte_enable_ptr(nullptr);
    return payload;
  }

  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(payload);
  }

 private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace lockstep
