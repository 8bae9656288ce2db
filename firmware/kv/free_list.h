// Policies that see no difference between sequences: they hold one list of free blocks, and differ
// in which of them goes next.
#pragma once

#include <deque>
#include <random>

#include "firmware/kv/allocator.h"

namespace lockstep {

class FreeList : public KvAllocator {
 public:
  std::int32_t free_blocks() const final { return static_cast<std::int32_t>(free_.size()); }

 protected:
  explicit FreeList(const PoolConfig& config);
  std::deque<BlockId> free_;

 private:
  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) final;
  std::optional<std::vector<BlockId>> place_scratch(SequenceId sequence, std::int32_t count) final;
  std::optional<BlockId> place_next(SequenceId sequence) final;
  void take_back(BlockId block) final { free_.push_back(block); }
  void forget(SequenceId /*sequence*/) final {}

  virtual BlockId pop() = 0;
};

// vLLM v0.2.7: a stack. A fresh pool hands out descending ids; later it is the order of releases.
class PagedLifo final : public FreeList {
 public:
  explicit PagedLifo(const PoolConfig& config) : FreeList(config) {}

 private:
  BlockId pop() override;
};

// vLLM V1: a queue, so that what was freed first is overwritten first. A finished sequence's blocks
// go back last first, and block 0 is the null block that nobody gets.
class PagedFifo final : public FreeList {
 public:
  explicit PagedFifo(const PoolConfig& config);
  std::int32_t reserved_blocks() const override { return 1; }
  KvTraits traits() const override;

 private:
  BlockId pop() override;
};

// Any free block with equal chance: what placement is worth when it is left to luck.
class RandomPlacement final : public FreeList {
 public:
  explicit RandomPlacement(const PoolConfig& config) : FreeList(config), random_(config.seed) {}

 private:
  BlockId pop() override;
  std::mt19937_64 random_;
};

}  // namespace lockstep
