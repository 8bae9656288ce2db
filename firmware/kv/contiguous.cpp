#include "firmware/kv/contiguous.h"

#include <numeric>

#include "tlm/contract/errors.h"

namespace lockstep {

Contiguous::Contiguous(const PoolConfig& config)
    : KvAllocator(config.pool_blocks), extents_(config.pool_blocks), free_(config.pool_blocks) {}

std::int32_t Contiguous::growth(std::int32_t held, std::int32_t final) const {
  return held == 0 ? final : 0;
}

KvTraits Contiguous::traits() const {
  KvTraits traits;
  traits.ownership = KvTraits::Ownership::kSpan;
  return traits;
}

std::optional<std::vector<BlockId>> Contiguous::place(SequenceId sequence, std::int32_t blocks_now,
                                                      std::int32_t blocks_final) {
  ensure(blocks_final > 0, "an empty span was asked for");
  const auto first = extents_.take(blocks_final);
  if (!first) return std::nullopt;
  const bool is_new =
      reservations_.emplace(sequence, Reservation{*first, blocks_final, blocks_now}).second;
  ensure(is_new, "a live sequence was admitted again");
  free_ -= blocks_final;
  reserved_ += blocks_final - blocks_now;
  std::vector<BlockId> blocks(static_cast<std::size_t>(blocks_now));
  std::iota(blocks.begin(), blocks.end(), *first);
  return blocks;
}

std::optional<std::vector<BlockId>> Contiguous::place_scratch(SequenceId sequence,
                                                              std::int32_t count) {
  const auto& own = reservations_.at(sequence);
  if (own.length - own.used < count) return std::nullopt;
  reserved_ -= count;
  std::vector<BlockId> blocks(static_cast<std::size_t>(count));
  std::iota(blocks.begin(), blocks.end(), own.first + own.length - count);
  return blocks;
}

std::optional<BlockId> Contiguous::place_next(SequenceId sequence) {
  auto& own = reservations_.at(sequence);
  if (own.used == own.length) return std::nullopt;
  --reserved_;
  return own.first + own.used++;
}

// A block stays in its sequence's span until the sequence ends.
void Contiguous::take_back(BlockId /*block*/) {
  ++reserved_;
}

void Contiguous::forget(SequenceId sequence) {
  const auto own = reservations_.find(sequence);
  ensure(own != reservations_.end(), "a sequence without a span was released");
  extents_.give(own->second.first, own->second.length);
  free_ += own->second.length;
  reserved_ -= own->second.length;
  reservations_.erase(own);
}

}  // namespace lockstep
