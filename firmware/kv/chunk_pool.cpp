#include "firmware/kv/chunk_pool.h"

#include <algorithm>
#include <functional>

#include "tlm/contract/errors.h"

namespace lockstep {

ChunkPool::ChunkPool(std::int32_t pool_blocks, std::int32_t chunk_blocks)
    : pool_blocks_(pool_blocks),
      chunk_blocks_(chunk_blocks),
      room_(static_cast<std::size_t>(pool_blocks / chunk_blocks)),
      owner_(room_.size()) {
  for (Chunk chunk = 0; chunk < pool_blocks / chunk_blocks; ++chunk) {
    free_.insert(free_.end(), chunk);
    for (std::int32_t i = 0; i < chunk_blocks; ++i) {
      room(chunk).push_back(chunk * chunk_blocks + i);
    }
  }
}

std::int32_t ChunkPool::chunks_for(SequenceId owner, std::int32_t blocks) const {
  const auto filling = filling_.find(owner);
  const auto left =
      filling == filling_.end() ? 0 : room_[static_cast<std::size_t>(filling->second)].size();
  const auto missing = std::max(0, blocks - static_cast<std::int32_t>(left));
  return (missing + chunk_blocks_ - 1) / chunk_blocks_;
}

BlockId ChunkPool::take(SequenceId owner) {
  auto filling = filling_.find(owner);
  if (filling == filling_.end() || room(filling->second).empty()) {
    ensure(!free_.empty(), "a chunk was taken from an exhausted pool");
    filling = filling_.insert_or_assign(owner, *free_.begin()).first;
    free_.erase(free_.begin());
    owner_[static_cast<std::size_t>(filling->second)] = owner;
  }
  auto& blocks = room(filling->second);
  std::pop_heap(blocks.begin(), blocks.end(), std::greater<>());
  const auto block = blocks.back();
  blocks.pop_back();
  ++live_;
  return block;
}

void ChunkPool::give(BlockId block) {
  const Chunk chunk = block / chunk_blocks_;
  auto& blocks = room(chunk);
  blocks.push_back(block);
  std::push_heap(blocks.begin(), blocks.end(), std::greater<>());
  --live_;
  if (static_cast<std::int32_t>(blocks.size()) < chunk_blocks_) return;
  free_.insert(chunk);
  const auto filling = filling_.find(owner_[static_cast<std::size_t>(chunk)]);
  if (filling != filling_.end() && filling->second == chunk) filling_.erase(filling);
}

}  // namespace lockstep
