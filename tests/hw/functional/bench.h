// A host and a stack, bound, that run a program to its end; several in one simulation, one after
// another.
#pragma once

#include <functional>

#include "firmware/host/host.h"
#include "hw/stack/hbm_stack.h"
#include "tlm/process.h"

namespace lockstep {

class Bench final : public sc_core::sc_module {
 public:
  Bench(const sc_core::sc_module_name& name, const StackConfig& config, Detail detail,
        std::function<void(StackPort&)> program)
      : sc_module(name),
        stack("stack", config, detail),
        host("host", stack.clock(), config.domains(), interleave(config), std::move(program)) {
    host.host_initiator_socket.bind(stack.bus().host_target_socket);
    host.pim_initiator_socket.bind(stack.bus().pim_target_socket);
    spawn_method("pause", host.finished(), [] { sc_core::sc_pause(); });
  }

  void run() {
    host.start();
    sc_core::sc_start();
    if (host.failure()) std::rethrow_exception(host.failure());
    ensure(host.done(), "the simulation stalled");
    stack.finish();
  }

  HbmStack stack;
  Host host;

 private:
  static std::int64_t interleave(const StackConfig& config) {
    const std::uint64_t channel = config.map.mask(Coordinate::kChannel);
    return static_cast<std::int64_t>(channel & (~channel + 1));
  }
};

}  // namespace lockstep
