// NeuPIMs' layout: the keys of 32 tokens make a page, and the values of 512. Rows come from a queue
// of free rows, one page of keys at a time or sixteen times as much for a page of values.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "firmware/kv/allocator.h"

namespace lockstep {

// Entries of a table go by groups of 32 tokens: the first half of a group are the blocks of its
// keys, the second half those of its values. So a table names every byte of its tokens, as with any
// other policy. A unit is the blocks of one page of keys: the bytes of 16 whole tokens.
class NeuPims final : public KvAllocator {
 public:
  explicit NeuPims(const PoolConfig& config);
  std::int32_t free_blocks() const override;
  std::int32_t reserved_blocks() const override { return pool_blocks() - free_blocks() - live_; }
  std::int32_t growth(std::int32_t held, std::int32_t final) const override;

 private:
  using UnitId = std::int32_t;
  enum class Owner : std::uint8_t { kNone, kSequence };
  struct Unit {
    std::int32_t live = 0;
    Owner owner = Owner::kNone;
  };
  struct Pages {
    std::vector<UnitId> keys;    // by group
    std::vector<UnitId> values;  // by group, taken a page at a time
    std::int32_t entries = 0;    // handed out so far
  };

  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) override;
  std::optional<std::vector<BlockId>> place_scratch(SequenceId sequence,
                                                    std::int32_t count) override;
  std::optional<BlockId> place_next(SequenceId sequence) override;
  void take_back(BlockId block) override;
  void forget(SequenceId sequence) override;

  std::int32_t units_for(std::int32_t entries) const;
  Unit& unit(UnitId id) { return units_[static_cast<std::size_t>(id)]; }
  UnitId pop(Owner owner);
  BlockId next_entry(Pages& pages);

  const std::int32_t unit_blocks_;
  std::int32_t live_ = 0;
  std::vector<Unit> units_;
  std::deque<UnitId> free_;
  std::map<SequenceId, Pages> pages_;
};

}  // namespace lockstep
