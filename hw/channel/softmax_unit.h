// The softmax unit of the buffer die as its channel's controller times it: it takes one pass at a
// time, and the probabilities of a pass can be moved to the banks once it is through.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/dram/pim_timing.h"
#include "tlm/contract/units.h"

namespace lockstep {

class SoftmaxUnit {
 public:
  // Starts on the scores of a pass at `now`, or when the unit is free; returns when it is through.
  Cycles start(std::int32_t pass, std::int64_t elements, Cycles now, const PimTiming& timing) {
    const std::int64_t lanes = timing.softmax_elements_per_clock;
    free_ = std::max(now, free_) + Cycles{(elements + lanes - 1) / lanes};
    recent_[next_] = {pass, free_ + timing.n_softmax_latency};
    const Cycles done = recent_[next_].done;
    next_ = (next_ + 1) % recent_.size();
    return done;
  }

  // When the latest softmax of `pass` is through; 0 if it is none of the recent ones.
  Cycles done(std::int32_t pass) const {
    Cycles latest{0};
    for (const auto& job : recent_) {
      if (job.pass == pass) latest = std::max(latest, job.done);
    }
    return latest;
  }

  friend bool operator==(const SoftmaxUnit& a, const SoftmaxUnit& b) {
    return a.free_ == b.free_ && a.next_ == b.next_ &&
           std::equal(
               a.recent_.begin(), a.recent_.end(), b.recent_.begin(),
               [](const Job& x, const Job& y) { return x.pass == y.pass && x.done == y.done; });
  }

 private:
  struct Job {
    std::int32_t pass = -1;
    Cycles done;
  };
  static constexpr std::size_t kRemembered = 8;  // more than any schedule keeps under way
  std::array<Job, kRemembered> recent_{};
  std::size_t next_ = 0;
  Cycles free_;
};

}  // namespace lockstep
