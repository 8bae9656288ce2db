#include "firmware/sparse/hot_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {

HotBlocks::HotBlocks(const std::vector<BlockId>& places, BlockId first_slot, std::int32_t slots)
    : places_(&places),
      first_slot_(first_slot),
      slot_of_(places.size(), kNone),
      held_(static_cast<std::size_t>(slots), kNone) {}

void HotBlocks::apply(const HotCopy& copy) {
  auto& held = held_[static_cast<std::size_t>(copy.slot)];
  if (held != kNone) slot_of_[static_cast<std::size_t>(held)] = kNone;
  held = copy.block;
  slot_of_[static_cast<std::size_t>(copy.block)] = copy.slot;
}

std::vector<HotCopy> HotBlocks::follow(Span<double> scores, std::int64_t most) {
  const BlockList best = top_blocks(scores, slots());
  BlockList wanted;
  for (const auto block : best) {
    if (slot_of_[static_cast<std::size_t>(block)] == kNone) wanted.push_back(block);
  }
  const auto score = [&](BlockIndex block) {
    const double value = block == kNone ? std::numeric_limits<double>::quiet_NaN()
                                        : scores[static_cast<std::size_t>(block)];
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  };
  std::stable_sort(wanted.begin(), wanted.end(),
                   [&](BlockIndex a, BlockIndex b) { return score(a) > score(b); });
  std::vector<std::int32_t> free;
  for (std::int32_t slot = 0; slot < slots(); ++slot) {
    const auto held = held_[static_cast<std::size_t>(slot)];
    if (held == kNone || !std::binary_search(best.begin(), best.end(), held)) free.push_back(slot);
  }
  std::stable_sort(free.begin(), free.end(), [&](std::int32_t a, std::int32_t b) {
    return score(held_[static_cast<std::size_t>(a)]) < score(held_[static_cast<std::size_t>(b)]);
  });
  std::vector<HotCopy> copies;
  const auto count = std::min({static_cast<std::size_t>(most), wanted.size(), free.size()});
  for (std::size_t i = 0; i < count; ++i) {
    copies.push_back({wanted[i], free[i]});
    apply(copies.back());
  }
  return copies;
}

}  // namespace lockstep
