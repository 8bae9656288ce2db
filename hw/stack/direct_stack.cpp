#include "hw/stack/direct_stack.h"

#include <algorithm>

#include "hw/stack/access_symmetry.h"

namespace lockstep {

DirectStack::DirectStack(const StackConfig& config, const MacUnitFactory& factory)
    : config_(config),
      half_scope_(config),
      controllers_(static_cast<std::size_t>(config.domains()),
                   ChannelController(config.controller)),
      functional_(std::make_unique<FunctionalStack>(config, factory)) {
  for (int domain = 0; domain < domains(); ++domain) {
    controllers_[static_cast<std::size_t>(domain)].set_observer(functional_->observer(domain));
  }
}

void DirectStack::execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) {
  for (auto& controller : controllers_) controller.advance(now_);
  completions_ = {now_, now_};
  if (accesses.size() > 0) {
    run_accesses(kernels, accesses);
  } else {
    for (const auto& work : kernels) push_kernel(work);
    for (auto& controller : controllers_) run_to_end(controller);
  }
  now_ = std::max(completions_.kernels, completions_.accesses);
}

void DirectStack::run_to_end(ChannelController& controller) {
  while (controller.has_work() || controller.completed_something()) {
    if (controller.lone_kernel()) {
      equal_.run_kernel(controller);
    } else {
      controller.advance_to_completion();
    }
    for (const auto& completion : controller.take_completions()) {
      auto& end = completion.kind == Completion::Kind::kKernel ? completions_.kernels
                                                               : completions_.accesses;
      end = std::max(end, completion.when);
    }
  }
}

// Domains that see equal accesses in equal order and the same kernels, and were equal before, are
// computed once. One that is watched computes for itself.
void DirectStack::run_accesses(Span<DomainKernel> kernels, Span<HostAccess> accesses) {
  // Where banks hold bytes, every column must really be written.
  const AccessSymmetry symmetry = config_.storage == Storage::kNone
                                      ? AccessSymmetry(config_, accesses)
                                      : AccessSymmetry::none(config_);
  const auto count = controllers_.size();
  std::vector<std::vector<const DomainKernel*>> work(count);
  for (const auto& kernel : kernels) {
    work[static_cast<std::size_t>(kernel.domain)].push_back(&kernel);
  }
  const auto same_kernel = [](const DomainKernel* a, const DomainKernel* b) {
    return a->kernel == b->kernel && a->data == b->data;
  };
  std::vector<bool> follows(count);
  std::vector<std::vector<HostRequest>> requests(count);
  for (std::size_t d = 0; d < count; ++d) {
    const auto leader = symmetry.leader(d);
    follows[d] = leader != d && !controllers_[d].observed() &&
                 controllers_[leader] == controllers_[d] &&
                 std::equal(work[d].begin(), work[d].end(), work[leader].begin(),
                            work[leader].end(), same_kernel);
  }
  for (const auto& access : accesses) {
    symmetry.for_each_request(access, now_, [&](int domain, const HostRequest& request) {
      requests[static_cast<std::size_t>(domain)].push_back(request);
    });
  }
  for (std::size_t d = 0; d < count; ++d) {
    const auto leader = symmetry.leader(d);
    if (follows[d]) {
      controllers_[d].become(controllers_[leader]);
      continue;
    }
    for (const auto& request : requests[leader]) controllers_[d].push(request);
    for (const auto* kernel : work[d]) push_kernel(*kernel);
    run_to_end(controllers_[d]);
  }
}

void DirectStack::push_kernel(const DomainKernel& work) {
  controllers_[static_cast<std::size_t>(work.domain)].push(
      KernelRequest{0, half_scope_.adapt(work.kernel, work.data), now_, work.data});
}

bool DirectStack::poke(std::uint64_t address, Span<std::uint8_t> bytes) {
  return functional_->write(address, bytes);
}

bool DirectStack::peek(std::uint64_t address, std::vector<std::uint8_t>& bytes) {
  return functional_->read(address, bytes.data(), static_cast<std::int64_t>(bytes.size()));
}

ChannelStats DirectStack::total_stats() const {
  ChannelStats total;
  for (const auto& controller : controllers_) total += controller.stats();
  return total;
}

void DirectStack::check_identities() const {
  for (const auto& controller : controllers_) controller.check_identities();
  functional_->check_settled();
}

}  // namespace lockstep
