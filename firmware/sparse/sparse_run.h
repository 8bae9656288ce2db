// Decodes with one schedule on a stack: for every token and layer, selection, speculation,
// attention, repair and merge on the stack's clock, and the processor's parts beside them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "firmware/sparse/layer_schedule.h"
#include "firmware/sparse/sparse_result.h"

namespace lockstep {

using SparseListener = std::function<void(const SparseStep&)>;

class SparseRun {
 public:
  // All but `schedule` outlive the run. `schedule` nullopt: dense attention, nothing is selected.
  SparseRun(const SparseConfig& config, const CachePlan& plan, const SparseLists& lists,
            std::optional<Schedule> schedule, Hertz clock);

  // Runs all steps. Call it once. `stacks.summaries` is the same stack as `stacks.kv` unless the
  // summaries lie apart; `observer` may be nullptr.
  SparseResult run(const SparseStacks& stacks, StreamObserver* observer,
                   const SparseListener& listener = {});

 private:
  void prepare(const SparseStacks& stacks, StreamObserver* observer, SparseResult& result);
  SparseStep run_step(LayerSchedule& schedule, std::int64_t step);

  const SparseConfig& config_;
  std::optional<Schedule> schedule_;
  Hertz clock_;
  std::vector<SimulatedLayer> layers_;
  SequenceCache cache_;
};

}  // namespace lockstep
