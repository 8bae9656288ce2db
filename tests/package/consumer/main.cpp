// Two stacks in one process, each asked for one row of MAC commands; prints the clocks they took.
#include <cstdio>
#include <memory>

#include <systemc>

#include "configs/config.h"
#include "firmware/host/host.h"
#include "hw/stack/hbm_stack.h"

namespace {

void one_row(lockstep::StackPort& port) {
  lockstep::PimRun run;
  run.row = 7;
  run.columns = 32;
  const lockstep::DomainKernel work{0, std::make_shared<lockstep::PimKernel>(1, run)};
  port.execute({&work, 1}, {nullptr, 0});
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  auto document = lockstep::ConfigDocument::from_file(argv[1]);
  auto root = document.root();
  const auto config = lockstep::read_stack(root);
  document.throw_if_invalid();

  lockstep::HbmStack first("first", config, lockstep::Detail::kStream);
  lockstep::HbmStack second("second", config, lockstep::Detail::kCommand);
  lockstep::Host of_first("of_first", first.clock(), config.domains(), 64, one_row);
  lockstep::Host of_second("of_second", second.clock(), config.domains(), 64, one_row);
  of_first.host_initiator_socket.bind(first.bus().host_target_socket);
  of_first.pim_initiator_socket.bind(first.bus().pim_target_socket);
  of_second.host_initiator_socket.bind(second.bus().host_target_socket);
  of_second.pim_initiator_socket.bind(second.bus().pim_target_socket);
  of_first.start();
  of_second.start();
  sc_core::sc_start(10, sc_core::SC_US);
  std::printf("%lld %lld\n", static_cast<long long>(first.controller(0).last_issue().count),
              static_cast<long long>(second.controller(0).last_issue().count));
  return 0;
}
