// Rival policies that give a sequence chunks of many blocks: whole rows for PIM at the price of
// blocks that are reserved and empty.
#pragma once

#include "firmware/kv/allocator.h"
#include "firmware/kv/chunk_pool.h"

namespace lockstep {

class ChunkPolicy : public KvAllocator {
 public:
  ChunkPolicy(const PoolConfig& config, std::int64_t chunk_blocks);
  std::int32_t free_blocks() const final { return pool_.free_blocks(); }
  std::int32_t reserved_blocks() const final { return pool_.reserved_blocks(); }
  std::int32_t growth(std::int32_t held, std::int32_t final) const override;

 protected:
  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) override;
  std::int32_t whole_chunks(std::int32_t blocks) const;  // `blocks`, rounded up to chunks

  ChunkPool pool_;

 private:
  std::optional<std::vector<BlockId>> place_scratch(SequenceId sequence, std::int32_t count) final;
  std::optional<BlockId> place_next(SequenceId sequence) final;
  void take_back(BlockId block) final { pool_.give(block); }
  void forget(SequenceId sequence) final { pool_.forget(sequence); }

  const ScratchPlacement scratch_;
};

// PIMphony's lazily allocated chunk of 1 MiB.
class PimPhony final : public ChunkPolicy {
 public:
  explicit PimPhony(const PoolConfig& config);
};

// BlockPIM's block: one row of all banks.
class BlockPim final : public ChunkPolicy {
 public:
  explicit BlockPim(const PoolConfig& config) : ChunkPolicy(config, config.blocks_per_region) {}
};

// PATTON's group of 16 blocks. The block that a sequence is filling lives in a group shared by all,
// and is copied to the sequence's own group when it is full.
class Patton final : public ChunkPolicy {
 public:
  explicit Patton(const PoolConfig& config) : ChunkPolicy(config, 16) {}
  std::int32_t growth(std::int32_t held, std::int32_t final) const override;
  KvTraits traits() const override;

 private:
  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) override;
};

}  // namespace lockstep
