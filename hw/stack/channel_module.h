// One lockstep domain of a stack as a SystemC module: takes reads, writes and PIM kernels over TLM
// (AT, four phases) and gives them to its controller. At command level every DRAM and PIM command
// is an event of the kernel; at stream level only completions are. Both end in the same clocks.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

#include <tlm_utils/peq_with_get.h>

#include "hw/channel/observer_list.h"
#include "hw/stack/channel_recorder.h"
#include "hw/stack/equal_channels.h"
#include "hw/stack/functional_stack.h"
#include "hw/stack/half_scope.h"
#include "hw/stack/stack_config.h"
#include "tlm/clock.h"
#include "tlm/pim_protocol.h"

namespace lockstep {

enum class Detail : std::uint8_t { kStream, kCommand };
constexpr std::array<std::string_view, 2> kDetails = {"stream", "command"};

class ChannelModule final : public sc_core::sc_module {
 public:
  HostTargetSocket<ChannelModule> host_target_socket{"host_target_socket"};
  PimTargetSocket<ChannelModule> pim_target_socket{"pim_target_socket"};

  // `clock`, `config`, `equal` and `functional` belong to the stack and outlive the module.
  ChannelModule(const sc_core::sc_module_name& name, const StackConfig& config, int domain,
                Detail detail, const Clock& clock, EqualChannels& equal,
                FunctionalStack& functional, HalfScope& half_scope);

  // Tells `sink` of every command from now on; nullptr ends it.
  void record_to(CommandSink* sink);
  const ChannelController& controller() const { return controller_; }
  // Issues what is due up to now (refreshes of an idle channel), for the end of a run.
  void catch_up();

 private:
  struct Pending {
    tlm::tlm_generic_payload* trans = nullptr;
    int parts_left = 0;  // column accesses of a host request; a kernel is one part
    bool is_kernel = false;
  };
  // Responses of one socket: the next one may go only when the initiator has taken the last.
  struct ResponseLane {
    std::deque<tlm::tlm_generic_payload*> ready;
    bool busy = false;
  };

  tlm::tlm_sync_enum host_forward(int, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay);
  tlm::tlm_sync_enum pim_forward(int, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay);
  unsigned debug(int, tlm::tlm_generic_payload& trans);
  void arrive();
  void accept_host(tlm::tlm_generic_payload& trans, Cycles arrival);
  void accept_kernel(tlm::tlm_generic_payload& trans, Cycles arrival);
  void plan();
  void wake();
  void issue_until(Cycles clock);
  void await_next_command();
  void wake_at(Cycles clock);
  void collect_completions();
  void respond();
  template <typename Socket>
  void send(ResponseLane& lane, Socket& socket);

  const StackConfig& config_;
  const Clock& clock_;
  EqualChannels& equal_;
  FunctionalStack& functional_;
  HalfScope& half_scope_;
  const int domain_;
  const Detail detail_;
  ChannelController controller_;
  ChannelController planned_;  // stream level: what controller_ will be when the next part is done
  bool plan_valid_ = false;
  std::unique_ptr<ChannelRecorder> recorder_;
  ObserverList observers_;

  std::uint64_t next_id_ = 0;
  std::unordered_map<std::uint64_t, Pending> pending_;
  std::multimap<Cycles, std::uint64_t> responses_;  // when a part is done -> its id
  ResponseLane host_lane_;
  ResponseLane pim_lane_;

  tlm_utils::peq_with_get<tlm::tlm_generic_payload> host_arrivals_{"host_arrivals"};
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> pim_arrivals_{"pim_arrivals"};
  sc_core::sc_event plan_event_{"plan"};
  sc_core::sc_event wake_event_{"wake"};
  sc_core::sc_event respond_event_{"respond"};
};

}  // namespace lockstep
