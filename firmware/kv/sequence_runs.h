// Whose the live blocks are, as runs: consecutive blocks of one sequence in one region. A pass over
// a sequence opens a row for each of its runs, so a table of few runs is what placement is after.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "firmware/kv/block.h"
#include "firmware/kv/region_pool.h"

namespace lockstep {

struct BlockRun {
  SequenceId sequence = 0;
  std::int32_t first = 0;  // index among the blocks of the sequence
  std::int32_t length = 0;
  RegionIndex region = 0;

  std::int32_t end() const { return first + length; }
};

class SequenceRuns {
 public:
  SequenceRuns(std::int32_t pool_blocks, std::int32_t blocks_per_region);

  // O(log sequences) each.
  void append(SequenceId sequence, BlockId block);
  void drop(BlockId block);  // nobody's from here on; it may have been nobody's before
  void move(SequenceId sequence, std::int32_t index, BlockId to);
  void forget(SequenceId sequence);  // what it still has is nobody's

  // nullopt where the sequence has none.
  std::optional<BlockId> block(SequenceId sequence, std::int32_t index) const;
  bool is_last(const BlockRun& run) const;
  std::vector<BlockRun> runs_of(SequenceId sequence) const;  // in order
  std::vector<BlockRun> runs_in(RegionIndex region) const;   // shortest first
  // Sequences of more runs than their blocks need, at most `count`, those with most too many first.
  std::vector<SequenceId> most_scattered(std::int32_t count) const;

 private:
  struct Owner {
    SequenceId sequence = 0;
    std::int32_t index = -1;  // -1: nobody
  };
  struct Table {
    std::vector<BlockId> blocks;  // with gaps where blocks were dropped, but not at the end
    std::int32_t held = 0;
    std::int32_t runs = 0;
  };

  Owner& owner(BlockId block) { return owners_[static_cast<std::size_t>(block)]; }
  void set(SequenceId sequence, Table& table, std::int32_t index, BlockId block);
  std::int32_t starts_run(const Table& table, std::int32_t index) const;
  std::int32_t excess(const Table& table) const;

  const std::int32_t blocks_per_region_;
  std::vector<Owner> owners_;  // by block
  std::map<SequenceId, Table> tables_;
  std::set<std::pair<std::int32_t, SequenceId>> scattered_;  // (-excess, sequence), excess > 0
};

}  // namespace lockstep
