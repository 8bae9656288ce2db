// PIM kernels that wait or are under way, and the point that the domain has reached in them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

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
  bool empty() const { return kernels_.empty(); }
  std::size_t size() const { return kernels_.size(); }
  void push(KernelRequest request) { kernels_.push_back(std::move(request)); }

  const KernelRequest& kernel() const { return kernels_.front(); }
  bool kernel_finished() const { return run_ == kernels_.front().kernel->size(); }
  void pop_kernel() {
    kernels_.pop_front();
    run_ = 0;
    done_ = 0;
  }

  const PimRun& run() const { return (*kernels_.front().kernel)[run_]; }
  std::int64_t done() const { return done_; }  // commands of the run that have been issued
  std::int64_t left() const { return run().commands() - done_; }
  void advance(std::int64_t commands) {
    done_ += commands;
    if (done_ < run().commands()) return;
    ++run_;
    done_ = 0;
  }

  // The next MAC run, this one included, that no other MAC run comes before; nullptr if none waits.
  const PimRun* next_mac() const {
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      const PimKernel& runs = *kernels_[k].kernel;
      for (std::size_t i = k == 0 ? run_ : 0; i < runs.size(); ++i) {
        if (runs[i].op == PimOp::kMacAb || runs[i].op == PimOp::kMacSb) return &runs[i];
      }
    }
    return nullptr;
  }

  // Equal work in the same state; ids and arrivals belong to who waits, not to the work.
  friend bool operator==(const PimQueue& a, const PimQueue& b) {
    if (a.run_ != b.run_ || a.done_ != b.done_ || a.kernels_.size() != b.kernels_.size())
      return false;
    for (std::size_t i = 0; i < a.kernels_.size(); ++i) {
      if (a.kernels_[i].kernel != b.kernels_[i].kernel) return false;
    }
    return true;
  }

 private:
  std::deque<KernelRequest> kernels_;
  std::size_t run_ = 0;
  std::int64_t done_ = 0;
};

}  // namespace lockstep
