#include "firmware/attention/step_timeline.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Work of one sub-batch that waits for a resource.
struct Waiting {
  double ready_ns = 0;
  int layer = 0;
  bool on_stack = false;
  bool done = false;
};

// The layer's processor work: what follows attention of the layer before, and what precedes this
// one's, in one piece.
double xpu_piece_ns(const LayerTimes& times, int layer, int layers) {
  return (layer > 0 ? times.after_ns : 0) + (layer < layers ? times.before_ns : 0);
}

}  // namespace

StepTimes compose_step(const std::vector<LayerTimes>& sub_batches, int layers) {
  ensure(layers > 0 && !sub_batches.empty(), "a step has layers and sub-batches");
  std::vector<Waiting> waiting(sub_batches.size());
  double xpu_free = 0;
  double pim_free = 0;
  StepTimes step;
  for (;;) {
    std::size_t next = waiting.size();
    double start = 0;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].done) continue;
      const double free = waiting[i].on_stack ? pim_free : xpu_free;
      const double begin = std::max(free, waiting[i].ready_ns);
      if (next < waiting.size() && begin >= start) continue;
      next = i;
      start = begin;
    }
    if (next == waiting.size()) break;
    auto& work = waiting[next];
    const double length = work.on_stack ? sub_batches[next].attention_ns
                                        : xpu_piece_ns(sub_batches[next], work.layer, layers);
    work.ready_ns = start + length;
    step.total_ns = std::max(step.total_ns, work.ready_ns);
    (work.on_stack ? pim_free : xpu_free) = work.ready_ns;
    (work.on_stack ? step.pim_busy_ns : step.xpu_busy_ns) += length;
    if (work.on_stack) ++work.layer;
    work.done = !work.on_stack && work.layer == layers;
    work.on_stack = !work.on_stack;
  }
  step.exposed_pim_ns = step.total_ns - step.xpu_busy_ns;
  step.exposed_xpu_ns = step.total_ns - step.pim_busy_ns;
  return step;
}

}  // namespace lockstep
