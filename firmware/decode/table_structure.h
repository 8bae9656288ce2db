// How a block table lies in the pool: the regions it touches and how many of its blocks follow one
// another.
#pragma once

#include <vector>

#include "firmware/kv/block.h"
#include "tlm/contract/span.h"

namespace lockstep {

class TableStructure {
 public:
  TableStructure(std::int32_t pool_blocks, std::int32_t blocks_per_region)
      : blocks_per_region_(blocks_per_region),
        touched_by_(static_cast<std::size_t>(pool_blocks / blocks_per_region) + 1, 0) {}

  // Regions that a table, not empty, touches over the least that could hold it.
  double region_spread(Span<BlockId> table) {
    ++tables_;
    std::int32_t regions = 0;
    for (const BlockId block : table) {
      auto& touched_by = touched_by_[static_cast<std::size_t>(block / blocks_per_region_)];
      regions += touched_by != tables_ ? 1 : 0;
      touched_by = tables_;
    }
    const auto blocks = static_cast<std::int32_t>(table.size());
    const auto least = (blocks + blocks_per_region_ - 1) / blocks_per_region_;
    return static_cast<double>(regions) / least;
  }

 private:
  const std::int32_t blocks_per_region_;
  std::int64_t tables_ = 0;               // seen so far
  std::vector<std::int64_t> touched_by_;  // by region: the latest table
};

// The share of neighbours in a table, of two blocks or more, whose ids are b and b + 1.
inline double adjacency(Span<BlockId> table) {
  std::size_t adjacent = 0;
  for (std::size_t i = 1; i < table.size(); ++i) adjacent += table[i] == table[i - 1] + 1 ? 1U : 0U;
  return static_cast<double>(adjacent) / static_cast<double>(table.size() - 1);
}

}  // namespace lockstep
