// From the block table of a running sequence to its score and to the PIM kernel of each channel,
// kept up to date as tokens come.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/command_stream.h"
#include "firmware/kernels/kv_layout.h"
#include "firmware/kernels/score.h"
#include "tlm/contract/pim_kernel.h"
#include "tlm/contract/span.h"

namespace lockstep {

// Consecutive tokens of one block.
struct TokenRun {
  BlockId block = 0;
  std::int64_t first_token = 0;  // in the block
  std::int64_t tokens = 0;
};

// One per running sequence. Work grows with the new bursts of one channel per class, plus the rows
// of the partial window.
class SequenceStream {
 public:
  // `layout` must outlive the stream. Throws InputError if the reorder window is out of range.
  SequenceStream(const KvLayout& layout, const Reorder& reorder);

  // Makes the stream that of the first `tokens` tokens of `blocks`. Reads only what is new if
  // `table_version` is that of the last call and the sequence did not shrink; walks all of it
  // otherwise. The version must change whenever a block already read is replaced.
  void resync(Span<BlockId> blocks, std::int64_t tokens, std::uint64_t table_version);
  // The same for a table that kept its version: `tokens` more of them.
  void append_tokens(Span<BlockId> blocks, std::int64_t tokens);
  // Adds tokens wherever they lie, for lists that are no prefix of a table. A stream fed by runs
  // is not to be resynced.
  void append_run(const TokenRun& run);

  std::int64_t tokens() const { return tokens_; }
  Score score() const;
  // The kernel of each member of layout.classes()[channel_class], empty if it holds no token.
  // Its columns add up to the commands of one member. A visit may run past the end of its row, or
  // hold more columns than a row has: its commands need not read consecutive columns, nor the banks
  // of a command the same one. What a visit costs does not depend on either.
  const RowVisits& visits(std::size_t channel_class) const;

 private:
  void read_run(const TokenRun& run);
  void settle();
  void clear();

  const KvLayout* layout_;
  Reorder reorder_;
  std::vector<CommandStream> streams_;  // by class
  std::int64_t tokens_ = 0;
  std::uint64_t table_version_ = 0;
};

struct Kernels {
  std::vector<RowVisits> visits;  // by class of the layout
  Score score;
};

// Kernels of any list of blocks in the order given, for example those that sparse attention
// selected: all full but the last, which has 1 … block_tokens tokens. Throws as SequenceStream.
Kernels visits_of(const KvLayout& layout, const Reorder& reorder, Span<BlockId> blocks,
                  std::int64_t tokens_in_last);

// The same for any parts of blocks.
Kernels visits_of(const KvLayout& layout, const Reorder& reorder, Span<TokenRun> runs);

}  // namespace lockstep
