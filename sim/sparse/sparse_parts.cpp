#include "sim/sparse/sparse_parts.h"

#include "sim/run/interrupt.h"
#include "sim/sparse/sparse_stacks.h"

namespace lockstep {

KvTensorMap tensor_map(const RunConfig& config) {
  return map_of(kv_channels(config.stack, *config.sparse), *config.sparse);
}

int repeats_of_a_column(const SparseConfig& sparse, const KvTensorMap& map) {
  const auto passes = split_queries(sparse.group, map.parts() * map.beats(), sparse.unit);
  return repeats_of_a_column(passes, map.beats());
}

SparseConfig weighed(const RunConfig& config) {
  SparseConfig sparse = *config.sparse;
  const auto map = tensor_map(config);
  const auto& timing = config.stack.controller.timing.dram;
  constexpr int kTensors = 2;
  const bool interleaved = sparse.shape.layout == KvTensorLayout::kInterleaved;
  const int tokens_at_once = map.banks() / (interleaved ? kTensors : 1) * map.classes();
  const double accesses = kTensors * static_cast<double>(sparse.shape.block_tokens) /
                          tokens_at_once * map.parts() * repeats_of_a_column(sparse, map);
  sparse.row_cost.block_ns = accesses * nanoseconds(timing.nCCDAB, config.stack.clock);
  sparse.row_cost.open_row_ns =
      kTensors * nanoseconds(timing.nRP + timing.nRCDRD, config.stack.clock);
  return sparse;
}

void require_room(const RunConfig& run, const SparseConfig& sparse) {
  CachePlan(sparse, tensor_map(run), map_of(summary_channels(run.stack, sparse), sparse));
}

SparseParts::SparseParts(const RunConfig& run, const SparseConfig& sparse,
                         const ScoreSource& source, const std::function<void()>& on_layer)
    : config(sparse),
      map(tensor_map(run)),
      summary_map(map_of(summary_channels(run.stack, sparse), sparse)),
      plan(config, map, summary_map),
      lists(config, plan, source, [&on_layer] {
        if (interrupt_noted()) throw Interrupted("interrupted while lists were made");
        if (on_layer) on_layer();
      }) {}

}  // namespace lockstep
