#include "firmware/sparse/sparse_run.h"

namespace lockstep {

SparseRun::SparseRun(const SparseConfig& config, const CachePlan& plan, const SparseLists& lists,
                     std::optional<Schedule> schedule, Hertz clock)
    : config_(config),
      schedule_(schedule),
      clock_(clock),
      layers_(simulated_layers(config)),
      cache_(config, plan, lists, schedule) {}

SparseResult SparseRun::run(const SparseStacks& stacks, StreamObserver* observer,
                            const SparseListener& listener) {
  SparseResult result;
  if (schedule_) prepare(stacks, observer, result);
  LayerSchedule schedule(config_, cache_, schedule_, clock_, stacks, observer, result);
  for (std::int64_t step = 0; step < config_.decode_tokens; ++step) {
    result.steps.push_back(run_step(schedule, step));
    const auto& record = result.steps.back();
    result.token_ns.add(record.total_ns);
    result.total_ns += record.total_ns;
    result.lists += record.lists;
    for (std::size_t i = 0; i < kSparseStageCount; ++i) {
      result.busy_ns[i] += record.busy_ns[i];
      result.exposed_ns[i] += record.exposed_ns[i];
    }
    if (listener) listener(record);
  }
  result.end = stacks.kv.now();
  return result;
}

void SparseRun::prepare(const SparseStacks& stacks, StreamObserver* observer,
                        SparseResult& result) {
  const Cycles begin = stacks.kv.now();
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const auto copies = cache_.first_copies(layer);
    if (copies.empty()) continue;
    stacks.kv.execute({nullptr, 0}, copies);
    if (observer != nullptr)
      observer->executed(SparseStream::kPreparation, SparseStream::kPreparation);
  }
  result.preparation = stacks.kv.now() - begin;
}

SparseStep SparseRun::run_step(LayerSchedule& schedule, std::int64_t step) {
  SparseStep record;
  record.step = step;
  record.tokens = config_.context_tokens + step + 1;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const LayerStep at{i, step, record.tokens};
    const auto spans = schedule.run(at, layers_[i].dense);
    const auto busy = spans.busy();
    const auto exposed = spans.exposed();
    for (std::size_t s = 0; s < kSparseStageCount; ++s) {
      record.busy_ns[s] += layers_[i].weight * nanoseconds(busy[s], clock_);
      record.exposed_ns[s] += layers_[i].weight * nanoseconds(exposed[s], clock_);
      record.total_ns += layers_[i].weight * nanoseconds(exposed[s], clock_);
    }
    if (schedule_ && !layers_[i].dense) record.lists += cache_.counts(at);
  }
  return record;
}

}  // namespace lockstep
