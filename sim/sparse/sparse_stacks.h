// The channels that a sparse run works on: those of K and V, and those of the summaries, which are
// the same, a second stack, or reserved out of the one.
#pragma once

#include <optional>

#include "firmware/attention/kv_tensor_map.h"
#include "firmware/sparse/layer_schedule.h"
#include "hw/stack/direct_stack.h"

namespace lockstep {

// The stack without the channels that are reserved for summaries, if any are.
StackConfig kv_channels(const StackConfig& stack, const SparseConfig& sparse);
// The reserved channels; the whole stack where there are none.
StackConfig summary_channels(const StackConfig& stack, const SparseConfig& sparse);

// Where K and V (summaries, as such) lie in these channels. Throws as KvTensorMap's constructor.
KvTensorMap map_of(const StackConfig& channels, const SparseConfig& sparse);

// Without the SystemC kernel.
class SparseDirectStacks {
 public:
  SparseDirectStacks(const StackConfig& stack, const SparseConfig& sparse);

  SparseStacks ports() { return {kv_, summaries_ ? *summaries_ : kv_}; }
  // What all channels have counted up to the clock of K and V: idle ones refresh as well.
  ChannelStats total_stats();
  void check_identities() const;

 private:
  DirectStack kv_;
  std::optional<DirectStack> summaries_;  // apart
};

}  // namespace lockstep
