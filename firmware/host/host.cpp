#include "firmware/host/host.h"

#include <algorithm>
#include <utility>

namespace lockstep {

Host::Host(const sc_core::sc_module_name& name, Clock& clock, int domains,
           std::int64_t interleave_bytes, std::function<void(StackPort&)> program)
    : sc_module(name),
      clock_(clock),
      domains_(domains),
      interleave_bytes_(interleave_bytes),
      program_(std::move(program)) {
  host_initiator_socket.register_nb_transport_bw(this, &Host::backward, 0);
  pim_initiator_socket.register_nb_transport_bw(this, &Host::backward, 1);
  sc_core::sc_spawn([this] { run(); }, "program");
}

// Before the simulation there is no process yet to hear the event.
void Host::start() {
  started_ = true;
  start_.notify(sc_core::SC_ZERO_TIME);
}

void Host::run() {
  if (!started_) sc_core::wait(start_);
  clock_.start();
  try {
    program_(*this);
  } catch (const std::exception&) {
    failure_ = std::current_exception();  // not to be thrown through the kernel's process
  }
  done_ = true;
  finished_.notify(sc_core::SC_ZERO_TIME);
}

void Host::wait(Cycles clocks) {
  sc_core::wait(clock_.until(clock_.now() + clocks));
}

void Host::execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) {
  completions_ = {clock_.now(), clock_.now()};
  for (const auto& access : accesses) send(access);
  for (const auto& kernel : kernels) send(kernel);
  if (outstanding_ > 0) sc_core::wait(all_done_);
  ensure(outstanding_ == 0, "the host went on before its requests had completed");
}

void Host::send(const DomainKernel& work) {
  auto& trans = pool_.take();
  trans.set_command(tlm::TLM_IGNORE_COMMAND);
  auto* extension = trans.get_extension<PimExtension>();
  if (extension == nullptr) {
    extension = new PimExtension;  // owned by the payload, freed with it
    trans.set_extension(extension);
  }
  extension->domain = work.domain;
  extension->kernel = work.kernel;
  extension->data = work.data;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  ++outstanding_;
  const auto answer = pim_initiator_socket->nb_transport_fw(trans, phase, delay);
  ensure(answer == tlm::TLM_UPDATED && phase == tlm::END_REQ, "a channel did not accept a kernel");
}

void Host::send(const HostAccess& access) {
  const auto end = access.address + static_cast<std::uint64_t>(access.bytes);
  const auto interleave = static_cast<std::uint64_t>(interleave_bytes_);
  for (std::uint64_t at = access.address; at < end;) {
    const std::uint64_t next = std::min(end, (at / interleave + 1) * interleave);
    auto& trans = pool_.take();
    trans.set_command(access.kind == AccessKind::kRead ? tlm::TLM_READ_COMMAND
                                                       : tlm::TLM_WRITE_COMMAND);
    trans.set_address(at);
    trans.set_data_ptr(access.data == nullptr ? nullptr : access.data + (at - access.address));
    trans.set_data_length(static_cast<unsigned>(next - at));
    trans.set_streaming_width(static_cast<unsigned>(next - at));
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    ++outstanding_;
    const auto answer = host_initiator_socket->nb_transport_fw(trans, phase, delay);
    ensure(answer == tlm::TLM_UPDATED && phase == tlm::END_REQ,
           "a channel refused a read or write");
    at = next;
  }
}

bool Host::poke(std::uint64_t address, Span<std::uint8_t> bytes) {
  std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());  // a payload's data are not const
  return debug(tlm::TLM_WRITE_COMMAND, address, copy.data(), copy.size());
}

bool Host::peek(std::uint64_t address, std::vector<std::uint8_t>& bytes) {
  return debug(tlm::TLM_READ_COMMAND, address, bytes.data(), bytes.size());
}

bool Host::debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                 std::size_t bytes) {
  const auto interleave = static_cast<std::uint64_t>(interleave_bytes_);
  const std::uint64_t end = address + bytes;
  for (std::uint64_t at = address; at < end;) {
    const std::uint64_t next = std::min(end, (at / interleave + 1) * interleave);
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(at);
    trans.set_data_ptr(data + (at - address));
    trans.set_data_length(static_cast<unsigned>(next - at));
    trans.set_streaming_width(trans.get_data_length());
    if (host_initiator_socket->transport_dbg(trans) != trans.get_data_length()) return false;
    at = next;
  }
  return true;
}

std::vector<PassResult> Host::take_results() {
  std::sort(results_.begin(), results_.end(),
            [](const PassResult& a, const PassResult& b) { return a.head_pass < b.head_pass; });
  return std::exchange(results_, {});
}

tlm::tlm_sync_enum Host::backward(int, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                  sc_core::sc_time&) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  ended(trans);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void Host::ended(tlm::tlm_generic_payload& trans) {
  ensure(trans.is_response_ok(), "the stack answered a request of the host with an error");
  const bool kernel = trans.get_command() == tlm::TLM_IGNORE_COMMAND;
  (kernel ? completions_.kernels : completions_.accesses) = clock_.now();
  auto* extension = trans.get_extension<PimExtension>();
  if (extension != nullptr) {
    for (auto& result : extension->results) results_.push_back(std::move(result));
    *extension = PimExtension{};
  }
  trans.release();
  if (--outstanding_ == 0) all_done_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace lockstep
