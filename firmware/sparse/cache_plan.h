// Where everything of a sparse run lies in its pools, and which layers are simulated. In the pools
// of a layer come, each from a row of its own on: the blocks of request 0, its packed rows and, if
// they lie in the same channels, its summaries, then those of request 1, … Summaries apart have
// pools of their own, request after request.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/attention/kv_pools.h"
#include "firmware/sparse/sparse_config.h"

namespace lockstep {

struct SimulatedLayer {
  int index = 0;  // in the model
  bool dense = false;
  double weight = 1;  // layers of the model that it stands for
};

// Dense layers first. Where fewer sparse layers are simulated than there are, each stands for
// several, and one dense layer for all.
std::vector<SimulatedLayer> simulated_layers(const SparseConfig& config);

class CachePlan {
 public:
  // The maps are those of the channels of K and V and of the channels of the summaries: equal
  // unless some are reserved. Both outlive the plan. Throws InputError if the caches do not fit the
  // channels, or a row holds no whole number of blocks.
  CachePlan(const SparseConfig& config, const KvTensorMap& map, const KvTensorMap& summary_map);

  const KvTensorMap& map() const { return map_; }
  const KvTensorMap& summary_map() const { return summary_map_; }
  const KvPools& pools() const { return pools_; }
  const KvPools& summary_pools() const { return summary_pools_ ? *summary_pools_ : pools_; }
  std::int64_t blocks_per_row() const { return blocks_per_row_; }
  // By block of the sequence.
  const std::vector<BlockId>& places(int request) const {
    return places_[static_cast<std::size_t>(request)];
  }
  BlockId first_slot(int request) const;  // of the packed rows
  std::int32_t slots() const { return static_cast<std::int32_t>(slots_); }
  // Summary i lies where token i % block_tokens of block first_summary_block() + i / block_tokens
  // of the summary pools would: minima (or means) in the pool of K, maxima in that of V.
  BlockId first_summary_block(int request) const;

 private:
  std::int64_t request_blocks() const {
    return kv_blocks_ + slots_ + (home_ == SummaryHome::kSame ? summary_blocks_ : 0);
  }

  const KvTensorMap& map_;
  const KvTensorMap& summary_map_;
  SummaryHome home_;
  std::int64_t blocks_per_row_;
  std::int64_t kv_blocks_;
  std::int64_t slots_;
  std::int64_t summary_blocks_;
  std::vector<std::vector<BlockId>> places_;  // by request
  KvPools pools_;
  std::optional<KvPools> summary_pools_;  // apart
};

}  // namespace lockstep
