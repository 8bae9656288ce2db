// PIM kernels that wait or are under way, and how far the domain has come in them. Runs go in
// order, save that a window lets a MAC run overtake others of its kind when its row is open.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
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

  // The runs that may go next, by position among the unfinished: the oldest, and with a window the
  // oldest MAC run whose row is `open_row` instead of the oldest MAC run, and the oldest move
  // beside it. None is beyond a barrier; a MAC run that has been the oldest for more than
  // `age_limit` is not overtaken.
  struct Candidates {
    std::array<std::size_t, 2> at{};
    int count = 0;
  };
  template <typename OpenRow>
  Candidates candidates(Cycles now, Cycles age_limit, OpenRow&& open_row) const;

  const PimRun& run(std::size_t at) const { return run_at(ahead_[at].index); }
  std::int64_t done(std::size_t at) const { return ahead_[at].done; }  // commands already issued
  std::int64_t left(std::size_t at) const { return run(at).commands() - done(at); }
  void advance(std::size_t at, std::int64_t commands, Cycles now);
  bool at_barrier() const { return run(0).op == PimOp::kBarrier; }

  // Calls visit(run) for the runs behind the one at `at`, across kernels, until it returns false or
  // `most` have been seen.
  template <typename Visitor>
  void for_following(std::size_t at, int most, Visitor&& visit) const;

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
  std::vector<Entry>
      ahead_;             // unfinished runs of the front kernel that may be chosen, oldest first
  std::size_t next_ = 0;  // first run of the front kernel not in ahead_
  Cycles head_since_;
};

inline bool is_mac(PimOp op) {
  return op == PimOp::kMacAb || op == PimOp::kMacSb;
}

template <typename OpenRow>
PimQueue::Candidates PimQueue::candidates(Cycles now, Cycles age_limit, OpenRow&& open_row) const {
  Candidates result;
  if (window_ == 1) {
    result.count = 1;
    return result;
  }
  constexpr std::size_t kNone = SIZE_MAX;
  std::size_t mac = kNone, move = kNone;
  std::int32_t open = 0;
  for (std::size_t i = 0; i < ahead_.size() && run(i).op != PimOp::kBarrier; ++i) {
    if (!is_mac(run(i).op)) {
      if (move == kNone) move = i;
    } else if (mac == kNone) {
      mac = i;
      open = open_row(run(i));
      if (run(i).row == open || now - head_since_ > age_limit) open = INT32_MIN;
    } else if (run(i).row == open && run(i).op == run(mac).op) {
      mac = i;
      open = INT32_MIN;  // found: the oldest that hits
    }
  }
  if (mac != kNone) result.at[static_cast<std::size_t>(result.count++)] = mac;
  if (move != kNone) result.at[static_cast<std::size_t>(result.count++)] = move;
  if (result.count == 2 && move < mac) std::swap(result.at[0], result.at[1]);
  return result;
}

template <typename Visitor>
void PimQueue::for_following(std::size_t at, int most, Visitor&& visit) const {
  for (std::size_t i = at + 1; i < ahead_.size(); ++i) {
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
