// Speculative decoding as block movement: branches of drafts in scratch blocks, of which one wins.
// Which drafts are right is drawn, since no model runs here.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "firmware/serving/block_manager.h"

namespace lockstep {

struct Speculation {
  // How a winner's tokens reach its sequence: its blocks replace the partial last one, as in vLLM,
  // or its tokens are copied to the sequence's own tail. A policy of spans always copies.
  enum class Commit { kSplice, kCopyBack } commit = Commit::kSplice;
  std::int32_t branches = 4;
  std::int32_t drafts = 3;  // tokens that a branch guesses ahead
  double acceptance = 0.8;  // draft i is right with this to the power of i, if those before are
  std::uint64_t seed = 0;
};

class Speculator {
 public:
  // Throws InputError for a speculation out of range.
  Speculator(const Speculation& speculation, std::int32_t block_tokens, ServingCounters& counters);

  // One round: branches, winner, commit. Returns the tokens that the sequence gained, already in
  // its table and not yet in its count of tokens; 0 if there was no room to speculate.
  std::int32_t round(Sequence& sequence, BlockManager& manager);

  // The most scratch blocks that one round takes.
  std::int32_t most_scratch_blocks() const;

 private:
  std::int32_t draw_accepted();
  void copy_on_write(const Sequence& sequence, const std::vector<BlockId>& scratch,
                     BlockManager& manager);
  std::int32_t splice(Sequence& sequence, std::vector<BlockId> scratch, std::int32_t accepted,
                      std::int32_t winner, BlockManager& manager);
  std::int32_t copy_back(Sequence& sequence, const std::vector<BlockId>& scratch,
                         std::int32_t accepted, std::int32_t winner, BlockManager& manager);
  std::int32_t blocks_per_branch(std::int32_t tokens) const;

  const Speculation speculation_;
  const std::int32_t block_tokens_;
  ServingCounters& counters_;
  std::mt19937_64 random_;
};

}  // namespace lockstep
