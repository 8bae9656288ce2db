// A pool cut into chunks of equal size. A chunk belongs to one owner, who fills it upwards, until
// none of its blocks is live; then it is anybody's again.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "firmware/kv/block.h"

namespace lockstep {

class ChunkPool {
 public:
  // The blocks behind the last whole chunk are never used.
  ChunkPool(std::int32_t pool_blocks, std::int32_t chunk_blocks);

  // Chunks that `owner` must still take to get `blocks` more.
  std::int32_t chunks_for(SequenceId owner, std::int32_t blocks) const;
  // The next block of `owner`, who must have room or a free chunk.
  BlockId take(SequenceId owner);
  void give(BlockId block);
  void forget(SequenceId owner) { filling_.erase(owner); }

  std::int32_t chunk_blocks() const { return chunk_blocks_; }
  std::int32_t free_chunks() const { return static_cast<std::int32_t>(free_.size()); }
  std::int32_t free_blocks() const { return free_chunks() * chunk_blocks_; }
  std::int32_t reserved_blocks() const { return pool_blocks_ - free_blocks() - live_; }

 private:
  using Chunk = std::int32_t;
  std::vector<BlockId>& room(Chunk chunk) { return room_[static_cast<std::size_t>(chunk)]; }

  const std::int32_t pool_blocks_;
  const std::int32_t chunk_blocks_;
  std::int32_t live_ = 0;
  std::set<Chunk> free_;                    // lowest first
  std::vector<std::vector<BlockId>> room_;  // by chunk: its blocks not live, a heap, lowest first
  std::map<SequenceId, Chunk> filling_;     // never a free chunk
  std::vector<SequenceId> owner_;           // by chunk, while it is not free
};

}  // namespace lockstep
