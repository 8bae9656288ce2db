// A decode step in time: the layers of one or two sub-batches on two resources, the processor and
// the stack (docs/attention.md, section 4).
#pragma once

#include <vector>

namespace lockstep {

// One layer of one sub-batch, in nanoseconds.
struct LayerTimes {
  double before_ns = 0;     // processor: up to the query, key and value
  double attention_ns = 0;  // stack: KV writes and passes
  double after_ns = 0;      // processor: projection and FFN
};

struct StepTimes {
  double total_ns = 0;
  double xpu_busy_ns = 0;
  double pim_busy_ns = 0;
  double exposed_pim_ns = 0;  // the stack works and the processor waits
  double exposed_xpu_ns = 0;  // the processor works and the stack waits

  double hidden_pim_ns() const { return pim_busy_ns - exposed_pim_ns; }
};

// `layers` equal layers of each of `sub_batches`. The processor takes the work that is ready first,
// the lower sub-batch on a tie; the stack likewise.
StepTimes compose_step(const std::vector<LayerTimes>& sub_batches, int layers);

}  // namespace lockstep
