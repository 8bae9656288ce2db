#include "hw/channel/pim_queue.h"

#include <algorithm>

namespace lockstep {
void PimQueue::push(KernelRequest request) {
  if (kernels_.empty()) head_since_ = request.arrival;
  kernels_.push_back(std::move(request));
  refill();
}

void PimQueue::pop_kernel() {
  kernels_.pop_front();
  next_ = 0;
  refill();
}

void PimQueue::refill() {
  if (kernels_.empty()) return;
  const std::size_t end = kernels_.front().kernel->size();
  while (ahead_.size() < window_ && next_ < end) ahead_.push_back({next_++, 0});
}

void PimQueue::advance(std::size_t at, std::int64_t commands, Cycles now) {
  auto& entry = ahead_[at];
  entry.done += commands;
  if (entry.done < run(at).commands()) return;
  if (at == 0) head_since_ = now;
  ahead_.erase(ahead_.begin() + static_cast<std::ptrdiff_t>(at));
  refill();
}

bool operator==(const PimQueue& a, const PimQueue& b) {
  const auto same_entry = [](const PimQueue::Entry& x, const PimQueue::Entry& y) {
    return x.index == y.index && x.done == y.done;
  };
  const auto same_kernel = [](const KernelRequest& x, const KernelRequest& y) {
    return x.kernel == y.kernel && x.data == y.data;
  };
  return a.window_ == b.window_ && a.next_ == b.next_ && a.head_since_ == b.head_since_ &&
         std::equal(a.ahead_.begin(), a.ahead_.end(), b.ahead_.begin(), b.ahead_.end(),
                    same_entry) &&
         std::equal(a.kernels_.begin(), a.kernels_.end(), b.kernels_.begin(), b.kernels_.end(),
                    same_kernel);
}

}  // namespace lockstep
