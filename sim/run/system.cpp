#include "sim/run/system.h"

#include <string>

#include "sim/cosim/unit_factory.h"
#include "tlm/process.h"

namespace lockstep {
namespace {

std::int64_t interleave_bytes(const AddressMap& map) {
  const std::uint64_t channel = map.mask(Coordinate::kChannel);
  return static_cast<std::int64_t>(channel == 0 ? map.capacity() : channel & (~channel + 1));
}

std::string queues_of(const HbmStack& stack) {
  std::string text;
  for (int domain = 0; domain < stack.domains(); ++domain) {
    const auto& controller = stack.controller(domain);
    if (!controller.has_work()) continue;
    text += "\n  domain " + std::to_string(domain) + ": " +
            std::to_string(controller.host_waiting()) + " host requests and " +
            std::to_string(controller.kernels_waiting()) + " kernels wait; last command at clock " +
            std::to_string(controller.last_issue().count);
  }
  return text;
}

}  // namespace

System::System(const sc_core::sc_module_name& name, const StackConfig& config, Detail detail,
               std::function<void(StackPort&)> program)
    : System(name, config, detail, make_unit_factory(config.units), std::move(program)) {}

System::System(const sc_core::sc_module_name& name, const StackConfig& config, Detail detail,
               const MacUnitFactory& factory, std::function<void(StackPort&)> program)
    : sc_module(name),
      stack_("stack", config, detail, factory),
      host_("host", stack_.clock(), config.domains(), interleave_bytes(config.map),
            std::move(program)) {
  host_.host_initiator_socket.bind(stack_.bus().host_target_socket);
  host_.pim_initiator_socket.bind(stack_.bus().pim_target_socket);
  spawn_method("pause_at_end", host_.finished(), [] { sc_core::sc_pause(); });
}

void System::run() {
  host_.start();
  sc_core::sc_start();
  if (host_.failure()) std::rethrow_exception(host_.failure());
  if (!host_.done())
    throw Unsupported("the simulation stalled with work pending:" + queues_of(stack_));
  stack_.finish();
  stack_.record_to(nullptr);
}

}  // namespace lockstep
