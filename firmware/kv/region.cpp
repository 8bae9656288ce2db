#include "firmware/kv/region.h"

namespace lockstep {
namespace {

constexpr SequenceId kScratchOwner = -1;  // all branches of all sequences, when kept separate

}  // namespace

RegionPolicy::RegionPolicy(const PoolConfig& config)
    : KvAllocator(config.pool_blocks),
      pool_(config.pool_blocks, config.blocks_per_region),
      scratch_(config.scratch) {}

std::optional<std::vector<BlockId>> RegionPolicy::place(SequenceId sequence,
                                                        std::int32_t blocks_now,
                                                        std::int32_t /*blocks_final*/) {
  return fill(sequence, blocks_now);
}

std::optional<std::vector<BlockId>> RegionPolicy::place_scratch(SequenceId sequence,
                                                                std::int32_t count) {
  return fill(scratch_ == ScratchPlacement::kShared ? sequence : kScratchOwner, count);
}

std::optional<BlockId> RegionPolicy::place_next(SequenceId sequence) {
  if (pool_.free_blocks() == 0) return std::nullopt;
  return pool_.take_for(sequence);
}

std::optional<std::vector<BlockId>> RegionPolicy::fill(SequenceId owner, std::int32_t count) {
  if (pool_.free_blocks() < count) return std::nullopt;
  std::vector<BlockId> blocks;
  blocks.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) blocks.push_back(pool_.take_for(owner));
  return blocks;
}

}  // namespace lockstep
