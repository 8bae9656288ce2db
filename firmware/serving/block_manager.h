// The block tables of running sequences: private blocks from the allocator, shared ones from the
// prefix caches. Knows nothing of queues or batches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/kv/allocator.h"
#include "firmware/serving/counters.h"
#include "firmware/serving/prefix_cache.h"
#include "firmware/serving/sequence.h"

namespace lockstep {

// Tokens that the step moves inside the pool: [offset, offset + tokens) of one block to the same
// place of another.
struct BlockCopy {
  enum class Reason { kCopyOnWrite, kCopyBack, kStaging, kGather } reason = Reason::kCopyOnWrite;
  BlockId source = 0;
  BlockId destination = 0;
  std::int32_t offset_tokens = 0;
  std::int32_t tokens = 0;
};

// By what a trace tells of its prompts (prefix_cache.h).
enum class PrefixSharing { kOff, kPrefixId, kHashIds };
enum class Outcome { kDone, kNoRoom };

struct BlockManagerConfig {
  std::int32_t block_tokens = 0;
  PrefixSharing sharing = PrefixSharing::kOff;
  std::int32_t span_scratch_blocks = 0;  // of a sequence, where scratch is part of its span
};

class BlockManager {
 public:
  BlockManager(const BlockManagerConfig& config, KvAllocator& allocator, ServingCounters& counters);

  // Gives a sequence the blocks of its `tokens`, if `kept_free` blocks are free or cached beside
  // those that it takes until it has `counted_tokens`; else changes nothing but the caches.
  Outcome admit(Sequence& sequence, std::int64_t kept_free, std::int32_t counted_tokens);
  // One block more at the end of the table.
  Outcome grow(Sequence& sequence);
  // Blocks for branches, as KvAllocator::scratch().
  std::optional<std::vector<BlockId>> scratch(const Sequence& sequence, std::int32_t count);
  void release(Sequence& sequence);
  // Carries out the moves that the policy wants. A sequence admitted in this `step` has nothing to
  // copy yet: its prompt is computed after the moves.
  void rearrange(std::vector<Sequence>& running, std::int64_t step);
  // Blocks that the sequence may still take from the free ones.
  std::int32_t committed(const Sequence& sequence) const;

  KvAllocator& allocator() { return allocator_; }
  const KvAllocator& allocator() const { return allocator_; }

  // What moved since the caller last cleared it.
  std::vector<BlockCopy>& copies() { return copies_; }

 private:
  std::int32_t final_blocks(const Sequence& sequence) const;
  std::optional<std::vector<BlockId>> place(const Sequence& sequence, std::int32_t shared);
  // What `attempt` yields, giving up cached blocks one by one while it yields nothing.
  template <typename Attempt>
  auto evicting(Attempt attempt);

  const BlockManagerConfig config_;
  const KvTraits traits_;
  KvAllocator& allocator_;
  ServingCounters& counters_;
  PinnedPrefixes pinned_;
  HashedPrefixes hashed_;
  std::vector<BlockCopy> copies_;
};

}  // namespace lockstep
