#include "sim/sparse/sparse_stacks.h"

namespace lockstep {

StackConfig kv_channels(const StackConfig& stack, const SparseConfig& sparse) {
  if (sparse.summaries != SummaryHome::kReserved) return stack;
  return part_of(stack, stack.geometry.flat_channels() - sparse.reserved_channels);
}

StackConfig summary_channels(const StackConfig& stack, const SparseConfig& sparse) {
  if (sparse.summaries != SummaryHome::kReserved) return stack;
  return part_of(stack, sparse.reserved_channels);
}

KvTensorMap map_of(const StackConfig& channels, const SparseConfig& sparse) {
  return {channels.map, channels.geometry, channels.channels_per_domain(), sparse.shape};
}

SparseDirectStacks::SparseDirectStacks(const StackConfig& stack, const SparseConfig& sparse)
    : kv_(kv_channels(stack, sparse)) {
  if (sparse.summaries_apart()) summaries_.emplace(summary_channels(stack, sparse));
}

ChannelStats SparseDirectStacks::total_stats() {
  ChannelStats total = kv_.total_stats();
  if (!summaries_) return total;
  if (summaries_->now() < kv_.now()) {
    summaries_->wait(kv_.now() - summaries_->now());
    summaries_->execute({nullptr, 0}, {nullptr, 0});
  }
  return total += summaries_->total_stats();
}

void SparseDirectStacks::check_identities() const {
  kv_.check_identities();
  if (summaries_) summaries_->check_identities();
}

}  // namespace lockstep
