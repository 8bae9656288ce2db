// One host and one stack, bound: what a policy of a comparison runs on.
#pragma once

#include <functional>

#include "firmware/host/host.h"
#include "hw/stack/hbm_stack.h"

namespace lockstep {

class System final : public sc_core::sc_module {
 public:
  // `factory` makes the bank units; without it, what the configuration chooses for each bank does.
  System(const sc_core::sc_module_name& name, const StackConfig& config, Detail detail,
         std::function<void(StackPort&)> program);
  System(const sc_core::sc_module_name& name, const StackConfig& config, Detail detail,
         const MacUnitFactory& factory, std::function<void(StackPort&)> program);

  // Runs the program to its end in simulated time, then settles the stack's books. Throws what the
  // program threw; Unsupported with the state of the channels if the simulation ran dry before.
  void run();

  HbmStack& stack() { return stack_; }

 private:
  HbmStack stack_;
  Host host_;
};

}  // namespace lockstep
