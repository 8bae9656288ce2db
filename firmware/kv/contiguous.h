// The upper bound: a sequence's whole final span at once, lowest gap first. It needs to know the
// final length, which no server does.
#pragma once

#include <map>

#include "firmware/kv/allocator.h"
#include "firmware/kv/extents.h"

namespace lockstep {

class Contiguous final : public KvAllocator {
 public:
  explicit Contiguous(const PoolConfig& config);
  std::int32_t free_blocks() const override { return free_; }
  std::int32_t reserved_blocks() const override { return reserved_; }
  std::int32_t growth(std::int32_t held, std::int32_t final) const override;
  KvTraits traits() const override;

 private:
  struct Reservation {
    std::int32_t first = 0;
    std::int32_t length = 0;
    std::int32_t used = 0;  // blocks of the table so far, from the front
  };

  std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final) override;
  // The last `count` blocks of the sequence's own span: admit() must have counted them as final.
  std::optional<std::vector<BlockId>> place_scratch(SequenceId sequence,
                                                    std::int32_t count) override;
  std::optional<BlockId> place_next(SequenceId sequence) override;
  void take_back(BlockId block) override;
  void forget(SequenceId sequence) override;

  Extents extents_;
  std::int32_t free_;
  std::int32_t reserved_ = 0;
  std::map<SequenceId, Reservation> reservations_;
};

}  // namespace lockstep
