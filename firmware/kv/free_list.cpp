#include "firmware/kv/free_list.h"

#include <numeric>
#include <utility>

namespace lockstep {

FreeList::FreeList(const PoolConfig& config)
    : KvAllocator(config.pool_blocks), free_(static_cast<std::size_t>(config.pool_blocks)) {
  std::iota(free_.begin(), free_.end(), 0);
}

std::optional<std::vector<BlockId>> FreeList::place(SequenceId sequence, std::int32_t blocks_now,
                                                    std::int32_t /*blocks_final*/) {
  return place_scratch(sequence, blocks_now);
}

std::optional<std::vector<BlockId>> FreeList::place_scratch(SequenceId /*sequence*/,
                                                            std::int32_t count) {
  if (free_blocks() < count) return std::nullopt;
  std::vector<BlockId> blocks;
  blocks.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) blocks.push_back(pop());
  return blocks;
}

std::optional<BlockId> FreeList::place_next(SequenceId /*sequence*/) {
  if (free_.empty()) return std::nullopt;
  return pop();
}

BlockId PagedLifo::pop() {
  const auto block = free_.back();
  free_.pop_back();
  return block;
}

PagedFifo::PagedFifo(const PoolConfig& config) : FreeList(config) {
  free_.pop_front();
}

KvTraits PagedFifo::traits() const {
  KvTraits traits;
  traits.release_order = KvTraits::ReleaseOrder::kReverse;
  return traits;
}

BlockId PagedFifo::pop() {
  const auto block = free_.front();
  free_.pop_front();
  return block;
}

BlockId RandomPlacement::pop() {
  std::swap(free_[random_() % free_.size()], free_.back());
  const auto block = free_.back();
  free_.pop_back();
  return block;
}

}  // namespace lockstep
