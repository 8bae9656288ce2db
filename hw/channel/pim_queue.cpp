#include "hw/channel/pim_queue.h"

#include <algorithm>

namespace lockstep {
namespace {

bool is_mac(const PimRun& run) { return run.op == PimOp::kMacAb || run.op == PimOp::kMacSb; }

}  // namespace

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

void PimQueue::advance(std::int64_t commands, Cycles now) {
  auto& entry = ahead_[selected_];
  entry.done += commands;
  if (entry.done < run().commands()) return;
  if (selected_ == 0) head_since_ = now;
  ahead_.erase(ahead_.begin() + static_cast<std::ptrdiff_t>(selected_));
  selected_ = 0;
  refill();
}

void PimQueue::select(std::int32_t open_row, Cycles now, Cycles age_limit) {
  selected_ = 0;
  if (window_ == 1 || !is_mac(run()) || run().row == open_row || now - head_since_ > age_limit) return;
  for (std::size_t i = 1; i < ahead_.size(); ++i) {
    const PimRun& candidate = run_at(ahead_[i].index);
    if (!is_mac(candidate)) return;
    if (candidate.row != open_row || candidate.op != run_at(ahead_[0].index).op) continue;
    selected_ = i;
    return;
  }
}

bool operator==(const PimQueue& a, const PimQueue& b) {
  const auto same_entry = [](const PimQueue::Entry& x, const PimQueue::Entry& y) {
    return x.index == y.index && x.done == y.done;
  };
  const auto same_kernel = [](const KernelRequest& x, const KernelRequest& y) {
    return x.kernel == y.kernel && x.data == y.data;
  };
  return a.window_ == b.window_ && a.next_ == b.next_ && a.selected_ == b.selected_ &&
         a.head_since_ == b.head_since_ &&
         std::equal(a.ahead_.begin(), a.ahead_.end(), b.ahead_.begin(), b.ahead_.end(), same_entry) &&
         std::equal(a.kernels_.begin(), a.kernels_.end(), b.kernels_.begin(), b.kernels_.end(), same_kernel);
}

}  // namespace lockstep
