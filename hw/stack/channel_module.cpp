#include "hw/stack/channel_module.h"

#include "hw/stack/host_columns.h"
#include "tlm/process.h"

namespace lockstep {
namespace {

// What this target cannot do is answered at once, with the response that names it.
bool refused(tlm::tlm_generic_payload& trans) {
  if (trans.get_byte_enable_ptr() != nullptr) {
    trans.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (!trans.is_read() && !trans.is_write()) {
    trans.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  } else if (trans.get_streaming_width() < trans.get_data_length()) {
    trans.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else {
    return false;
  }
  return true;
}

}  // namespace

ChannelModule::ChannelModule(const sc_core::sc_module_name& name, const StackConfig& config,
                             int domain, Detail detail, const Clock& clock, EqualChannels& equal,
                             FunctionalStack& functional, HalfScope& half_scope)
    : sc_module(name),
      config_(config),
      clock_(clock),
      equal_(equal),
      functional_(functional),
      half_scope_(half_scope),
      domain_(domain),
      detail_(detail),
      controller_(config.controller),
      planned_(controller_) {
  observers_.assign({functional_.observer(domain_)});
  controller_.set_observer(observers_.get());
  host_target_socket.register_nb_transport_fw(this, &ChannelModule::host_forward, 0);
  host_target_socket.register_transport_dbg(this, &ChannelModule::debug, 0);
  pim_target_socket.register_nb_transport_fw(this, &ChannelModule::pim_forward, 0);
  spawn_method("host_arrive", host_arrivals_.get_event(), [this] { arrive(); });
  spawn_method("pim_arrive", pim_arrivals_.get_event(), [this] { arrive(); });
  spawn_method("plan_method", plan_event_, [this] { plan(); });
  spawn_method("wake_method", wake_event_, [this] { wake(); });
  spawn_method("respond_method", respond_event_, [this] { respond(); });
}

void ChannelModule::record_to(CommandSink* sink) {
  recorder_ =
      sink == nullptr ? nullptr : std::make_unique<ChannelRecorder>(config_, domain_, *sink);
  observers_.assign({functional_.observer(domain_), recorder_.get()});
  controller_.set_observer(observers_.get());
}

void ChannelModule::catch_up() {
  issue_until(clock_.now());
}

tlm::tlm_sync_enum ChannelModule::host_forward(int, tlm::tlm_generic_payload& trans,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    host_lane_.busy = false;
    send(host_lane_, host_target_socket);
    return tlm::TLM_COMPLETED;
  }
  if (refused(trans)) return tlm::TLM_COMPLETED;
  trans.acquire();
  host_arrivals_.notify(trans, delay);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum ChannelModule::pim_forward(int, tlm::tlm_generic_payload& trans,
                                              tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    pim_lane_.busy = false;
    send(pim_lane_, pim_target_socket);
    return tlm::TLM_COMPLETED;
  }
  trans.acquire();
  pim_arrivals_.notify(trans, delay);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

// Sees what the commands up to now have done, and no more: what is under way is not waited for.
unsigned ChannelModule::debug(int, tlm::tlm_generic_payload& trans) {
  if (functional_.observer(domain_) != nullptr) issue_until(clock_.now());
  const auto bytes = static_cast<std::int64_t>(trans.get_data_length());
  const bool done =
      trans.is_read() ? functional_.read(trans.get_address(), trans.get_data_ptr(), bytes)
      : trans.is_write()
          ? functional_.write(trans.get_address(), {trans.get_data_ptr(), trans.get_data_length()})
          : false;
  trans.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
  return done ? trans.get_data_length() : 0;
}

void ChannelModule::arrive() {
  const Cycles now = clock_.now();
  issue_until(now);
  while (auto* trans = host_arrivals_.get_next_transaction()) accept_host(*trans, now);
  while (auto* trans = pim_arrivals_.get_next_transaction()) accept_kernel(*trans, now);
  collect_completions();  // an empty kernel is complete at once
  if (detail_ == Detail::kCommand) return await_next_command();
  plan_valid_ = false;
  plan_event_.notify(sc_core::SC_ZERO_TIME);
}

void ChannelModule::accept_host(tlm::tlm_generic_payload& trans, Cycles arrival) {
  Pending pending{&trans, 0, false};
  const std::uint64_t id = next_id_++;
  const HostOp op = trans.is_read() ? HostOp::kRead : HostOp::kWrite;
  for_each_column(config_, op, trans.get_address(), trans.get_data_length(), trans.get_data_ptr(),
                  [&](int, HostRequest request) {
                    request.id = id;
                    request.arrival = arrival;
                    controller_.push(request);
                    ++pending.parts_left;
                  });
  pending_.emplace(id, pending);
}

void ChannelModule::accept_kernel(tlm::tlm_generic_payload& trans, Cycles arrival) {
  const std::uint64_t id = next_id_++;
  pending_.emplace(id, Pending{&trans, 1, true});
  const auto& work = PimExtension::of(trans);
  controller_.push(
      KernelRequest{id, half_scope_.adapt(work.kernel, work.data), arrival, work.data});
}

// Stream level: where the controller will be when the next part is done, if nothing arrives before.
// Reads and writes go command by command: there is no closed form of them to gain by a plan.
void ChannelModule::plan() {
  plan_valid_ = false;
  if (!controller_.has_work()) return;
  if (controller_.host_waiting() > 0) return await_next_command();
  planned_ = controller_;
  planned_.set_observer(nullptr);
  if (planned_.lone_kernel()) {
    equal_.run_kernel(planned_);
  } else {
    planned_.advance_to_completion();
  }
  plan_valid_ = true;
  wake_at(planned_.last_issue());
}

void ChannelModule::wake() {
  if (detail_ == Detail::kCommand) {
    issue_until(clock_.now());
    return await_next_command();
  }
  if (!plan_valid_) {
    issue_until(clock_.now());
    return plan();
  }
  if (clock_.now() < planned_.last_issue()) return;
  if (controller_.observed()) {
    issue_until(planned_.last_issue());
  } else {
    std::swap(controller_, planned_);
    collect_completions();
  }
  plan();
}

void ChannelModule::issue_until(Cycles clock) {
  if (detail_ == Detail::kCommand) {
    while (controller_.next() <= clock) controller_.issue_next();
  } else {
    controller_.advance(clock);
  }
  collect_completions();
}

void ChannelModule::await_next_command() {
  const Cycles next = controller_.next();
  if (next.count != INT64_MAX) wake_at(next);
}

// An arrival may put off what was to come: a pending notification would outlive a later one.
void ChannelModule::wake_at(Cycles clock) {
  wake_event_.cancel();
  wake_event_.notify(clock_.until(clock));
}

void ChannelModule::collect_completions() {
  if (!controller_.completed_something()) return;
  for (const auto& completion : controller_.take_completions()) {
    responses_.emplace(completion.when, completion.id);
  }
  respond_event_.notify(clock_.until(responses_.begin()->first));
}

void ChannelModule::respond() {
  const Cycles now = clock_.now();
  while (!responses_.empty() && responses_.begin()->first <= now) {
    const auto found = pending_.find(responses_.begin()->second);
    ensure(found != pending_.end(), "a channel completed what it had not been asked for");
    responses_.erase(responses_.begin());
    if (--found->second.parts_left > 0) continue;
    if (found->second.is_kernel)
      PimExtension::of(*found->second.trans).results = functional_.take_results();
    (found->second.is_kernel ? pim_lane_ : host_lane_).ready.push_back(found->second.trans);
    pending_.erase(found);
  }
  if (!responses_.empty()) respond_event_.notify(clock_.until(responses_.begin()->first));
  send(host_lane_, host_target_socket);
  send(pim_lane_, pim_target_socket);
}

template <typename Socket>
void ChannelModule::send(ResponseLane& lane, Socket& socket) {
  while (!lane.busy && !lane.ready.empty()) {
    auto& trans = *lane.ready.front();
    lane.ready.pop_front();
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    lane.busy = true;
    const auto answer = socket->nb_transport_bw(trans, phase, delay);
    if (answer == tlm::TLM_COMPLETED || phase == tlm::END_RESP) lane.busy = false;
    trans.release();
  }
}

}  // namespace lockstep
