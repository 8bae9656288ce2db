// The host processor, the only initiator of a system: runs a program of the firmware in a process
// of its own, and speaks for it over TLM sockets (AT, four phases).
#pragma once

#include <functional>

#include "tlm/clock.h"
#include "tlm/contract/stack_port.h"
#include "tlm/payload_pool.h"
#include "tlm/pim_protocol.h"

namespace lockstep {

class Host final : public sc_core::sc_module, public StackPort {
 public:
  HostInitiatorSocket<Host> host_initiator_socket{"host_initiator_socket"};
  PimInitiatorSocket<Host> pim_initiator_socket{"pim_initiator_socket"};

  // Runs `program` once, when start() is called. `clock` belongs to the stack and outlives the
  // host. An access is cut at multiples of `interleave_bytes`, where the next channel begins.
  Host(const sc_core::sc_module_name& name, Clock& clock, int domains,
       std::int64_t interleave_bytes, std::function<void(StackPort&)> program);

  // The clock of the stack counts from here. finished() is notified when the program returns.
  void start();
  const sc_core::sc_event& finished() const { return finished_; }
  bool done() const { return done_; }
  // What the program threw, to be thrown again outside the kernel.
  std::exception_ptr failure() const { return failure_; }

  Cycles now() const override { return clock_.now(); }
  void wait(Cycles clocks) override;
  void execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) override;
  Completions completions() const override { return completions_; }
  int domains() const override { return domains_; }
  bool poke(std::uint64_t address, Span<std::uint8_t> bytes) override;
  bool peek(std::uint64_t address, std::vector<std::uint8_t>& bytes) override;
  std::vector<PassResult> take_results() override;

 private:
  tlm::tlm_sync_enum backward(int, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                              sc_core::sc_time& delay);
  void run();
  void send(const DomainKernel& work);
  void send(const HostAccess& access);
  bool debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
             std::size_t bytes);
  void ended(tlm::tlm_generic_payload& trans);

  Clock& clock_;
  const int domains_;
  const std::int64_t interleave_bytes_;
  std::function<void(StackPort&)> program_;
  PayloadPool pool_;
  std::vector<PassResult> results_;
  std::int64_t outstanding_ = 0;
  Completions completions_;
  bool started_ = false;
  bool done_ = false;
  std::exception_ptr failure_;
  sc_core::sc_event start_{"start"};
  sc_core::sc_event finished_{"finished"};
  sc_core::sc_event all_done_{"all_done"};
};

}  // namespace lockstep
