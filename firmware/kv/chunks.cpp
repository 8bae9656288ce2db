#include "firmware/kv/chunks.h"

#include <string>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Owners that are no sequences: all branches kept separate, and all staging blocks.
constexpr SequenceId kScratchOwner = -1;
constexpr SequenceId kStagingOwner = -2;

std::int32_t checked(std::int64_t chunk_blocks, std::int32_t pool_blocks) {
  if (chunk_blocks < 1 || chunk_blocks > pool_blocks) {
    throw SettingError("kv.headroom",
                       "the KV policy works on chunks of " + std::to_string(chunk_blocks) +
                           " blocks, but the pool has " + std::to_string(pool_blocks));
  }
  return static_cast<std::int32_t>(chunk_blocks);
}

}  // namespace

ChunkPolicy::ChunkPolicy(const PoolConfig& config, std::int64_t chunk_blocks)
    : KvAllocator(config.pool_blocks),
      pool_(config.pool_blocks, checked(chunk_blocks, config.pool_blocks)),
      scratch_(config.scratch) {}

std::int32_t ChunkPolicy::whole_chunks(std::int32_t blocks) const {
  const auto chunk = pool_.chunk_blocks();
  return (blocks + chunk - 1) / chunk * chunk;
}

std::int32_t ChunkPolicy::growth(std::int32_t held, std::int32_t final) const {
  return whole_chunks(final) - whole_chunks(held);
}

std::optional<std::vector<BlockId>> ChunkPolicy::place(SequenceId sequence, std::int32_t blocks_now,
                                                       std::int32_t /*blocks_final*/) {
  if (pool_.chunks_for(sequence, blocks_now) > pool_.free_chunks()) return std::nullopt;
  std::vector<BlockId> blocks;
  for (std::int32_t i = 0; i < blocks_now; ++i) blocks.push_back(pool_.take(sequence));
  return blocks;
}

std::optional<std::vector<BlockId>> ChunkPolicy::place_scratch(SequenceId sequence,
                                                               std::int32_t count) {
  const auto owner = scratch_ == ScratchPlacement::kShared ? sequence : kScratchOwner;
  return ChunkPolicy::place(owner, count, count);
}

std::optional<BlockId> ChunkPolicy::place_next(SequenceId sequence) {
  if (pool_.chunks_for(sequence, 1) > pool_.free_chunks()) return std::nullopt;
  return pool_.take(sequence);
}

PimPhony::PimPhony(const PoolConfig& config)
    : ChunkPolicy(config, (std::int64_t{1} << 20) / config.block_bytes) {}

// Staging may need a new group, and then it is all of it.
std::int32_t Patton::growth(std::int32_t held, std::int32_t final) const {
  if (final == 0) return 0;
  const auto own = whole_chunks(final - 1);
  return held == 0 ? own + pool_.chunk_blocks() : own - whole_chunks(held - 1);
}

KvTraits Patton::traits() const {
  KvTraits traits;
  traits.tail = KvTraits::Tail::kStaged;
  return traits;
}

std::optional<std::vector<BlockId>> Patton::place(SequenceId sequence, std::int32_t blocks_now,
                                                  std::int32_t blocks_final) {
  if (blocks_now == 0) return std::vector<BlockId>{};
  const auto chunks =
      pool_.chunks_for(sequence, blocks_now - 1) + pool_.chunks_for(kStagingOwner, 1);
  if (chunks > pool_.free_chunks()) return std::nullopt;
  auto blocks = ChunkPolicy::place(sequence, blocks_now - 1, blocks_final);
  blocks->push_back(pool_.take(kStagingOwner));
  return blocks;
}

}  // namespace lockstep
