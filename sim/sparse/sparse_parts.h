// What the schedules of a sparse run share: map, places and lists.
#pragma once

#include <functional>

#include "firmware/sparse/sparse_lists.h"
#include "sim/run/run_config.h"

namespace lockstep {

// Of the channels of K and V.
KvTensorMap tensor_map(const RunConfig& config);

// MAC commands to each column of K and V, (19).
int repeats_of_a_column(const SparseConfig& sparse, const KvTensorMap& map);

// The run's sparse configuration with what a block and a row cost on this stack: nCCDAB for every
// MAC command to a column of K and V, nRP + nRCDRD for a row of each.
SparseConfig weighed(const RunConfig& config);

// Throws SettingError where the stack cannot hold the caches. Cheap, while lists may take minutes.
void require_room(const RunConfig& run, const SparseConfig& sparse);

// Not to be moved: its members refer to each other.
struct SparseParts {
  // Makes the lists, and calls `on_layer` after those of each layer of a request. Throws
  // Interrupted.
  SparseParts(const RunConfig& run, const SparseConfig& sparse, const ScoreSource& source,
              const std::function<void()>& on_layer = {});
  SparseParts(const SparseParts&) = delete;
  SparseParts& operator=(const SparseParts&) = delete;

  SparseConfig config;
  KvTensorMap map;          // of the channels of K and V
  KvTensorMap summary_map;  // of those of the summaries
  CachePlan plan;
  SparseLists lists;
};

}  // namespace lockstep
