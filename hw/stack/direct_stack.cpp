#include "hw/stack/direct_stack.h"

#include <algorithm>

#include "hw/stack/host_columns.h"

namespace lockstep {

DirectStack::DirectStack(const StackConfig& config)
    : config_(config),
      controllers_(static_cast<std::size_t>(config.domains()),
                   ChannelController(config.controller)) {}

void DirectStack::execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) {
  for (auto& controller : controllers_) controller.advance(now_);
  for (const auto& access : accesses) push_access(access);
  for (const auto& work : kernels) {
    controllers_[static_cast<std::size_t>(work.domain)].push(KernelRequest{0, work.kernel, now_});
  }
  Cycles end = now_;
  for (auto& controller : controllers_) {
    while (controller.has_work() || controller.completed_something()) {
      if (controller.lone_kernel()) {
        equal_.run_kernel(controller);
      } else {
        controller.advance_to_completion();
      }
      for (const auto& completion : controller.take_completions())
        end = std::max(end, completion.when);
    }
  }
  now_ = end;
}

void DirectStack::push_access(const HostAccess& access) {
  const HostOp op = access.kind == AccessKind::kRead ? HostOp::kRead : HostOp::kWrite;
  for_each_column(config_, op, access.address, access.bytes, [&](int domain, HostRequest request) {
    request.arrival = now_;
    controllers_[static_cast<std::size_t>(domain)].push(request);
  });
}

ChannelStats DirectStack::total_stats() const {
  ChannelStats total;
  for (const auto& controller : controllers_) total += controller.stats();
  return total;
}

void DirectStack::check_identities() const {
  for (const auto& controller : controllers_) controller.check_identities();
}

}  // namespace lockstep
