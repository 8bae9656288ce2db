// PIM kernels that wait or are under way, and how far the domain has come in them. Runs go in order,
// save that a window lets a MAC run overtake others of its kind when its row is open.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "tlm/contract/attention_pass.h"
#include "tlm/contract/pim_isa.h"
#include "tlm/contract/units.h"

namespace lockstep {

// A kernel to run once; kernels are shared, because equal channels get the same one. `data` is what
// functional units compute with, nullptr where the kernel is only timed.
struct KernelRequest {
  std::uint64_t id = 0;
  std::shared_ptr<const PimKernel> kernel;
  Cycles arrival;
  std::shared_ptr<const KernelData> data = {};
};

class PimQueue {
 public:
  explicit PimQueue(int window = 1) : window_(static_cast<std::size_t>(window)) {}

  bool empty() const { return kernels_.empty(); }
  std::size_t size() const { return kernels_.size(); }
  void push(KernelRequest request);

  const KernelRequest& kernel() const { return kernels_.front(); }
  bool kernel_finished() const { return ahead_.empty(); }
  void pop_kernel();

  // The run whose command is next: the one that select() chose, else the oldest.
  const PimRun& run() const { return run_at(ahead_[selected_].index); }
  std::int64_t done() const { return ahead_[selected_].done; }  // commands of it already issued
  std::int64_t left() const { return run().commands() - done(); }
  void advance(std::int64_t commands, Cycles now);

  // Chooses the oldest MAC run of the window whose row is `open_row`, if the oldest run of all is a
  // MAC run with another row; not beyond a run of another kind, and not if the oldest has waited at
  // the head for more than `age_limit`.
  void select(std::int32_t open_row, Cycles now, Cycles age_limit);

  // Calls visit(run) for the runs behind the chosen one, across kernels, until it returns false or
  // `most` have been seen.
  template <typename Visitor>
  void for_following(int most, Visitor&& visit) const;

  // Equal work in the same state; ids and arrivals belong to who waits, not to the work.
  friend bool operator==(const PimQueue& a, const PimQueue& b);

 private:
  struct Entry {
    std::size_t index;  // in the kernel
    std::int64_t done;
  };

  const PimRun& run_at(std::size_t index) const { return (*kernels_.front().kernel)[index]; }
  void refill();

  std::size_t window_;
  std::deque<KernelRequest> kernels_;
  std::vector<Entry> ahead_;  // unfinished runs of the front kernel that may be chosen, oldest first
  std::size_t next_ = 0;      // first run of the front kernel not in ahead_
  std::size_t selected_ = 0;
  Cycles head_since_;
};

template <typename Visitor>
void PimQueue::for_following(int most, Visitor&& visit) const {
  for (std::size_t i = selected_ + 1; i < ahead_.size(); ++i) {
    if (most-- <= 0 || !visit(run_at(ahead_[i].index))) return;
  }
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    const PimKernel& runs = *kernels_[k].kernel;
    for (std::size_t i = k == 0 ? next_ : 0; i < runs.size(); ++i) {
      if (most-- <= 0 || !visit(runs[i])) return;
    }
  }
}

}  // namespace lockstep
