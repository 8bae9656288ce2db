// Which blocks of the KV pool a sequence gets. A policy decides where; this base counts references
// and holds every policy to the same books: no block lost, none owned twice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "firmware/kv/block.h"
#include "tlm/contract/span.h"

namespace lockstep {

// Where branch blocks of speculative decoding go, for policies that tell sequences apart: together
// and away from every sequence, or wherever their sequence goes.
enum class ScratchPlacement { kSeparate, kShared };

struct PoolConfig {
  std::int32_t pool_blocks = 0;
  std::int32_t blocks_per_region = 0;  // blocks under one row index of all banks and channels
  std::uint64_t seed = 0;
  ScratchPlacement scratch = ScratchPlacement::kSeparate;
  std::int32_t block_tokens = 16;
  std::int64_t block_bytes = 64 << 10;
};

// What the owner of the block tables must know of a policy.
struct KvTraits {
  // kSpan: a sequence has one span for itself. It shares no block, and its scratch is part of the
  // span: admit() must count it as final, and it never joins the table.
  enum class Ownership { kBlocks, kSpan } ownership = Ownership::kBlocks;
  // kStaged: the last block of a table is a staging block and stays the last. What append() returns
  // goes before it, and takes over its tokens.
  enum class Tail { kInPlace, kStaged } tail = Tail::kInPlace;
  enum class ReleaseOrder { kTable, kReverse } release_order = ReleaseOrder::kTable;
};

struct BlockCounts {
  std::int64_t allocated = 0;  // blocks handed out since the start; allocated - freed are live
  std::int64_t freed = 0;      // blocks whose last reference went
  std::int64_t moved = 0;      // blocks that took the place of another of the same sequence
};

// The tokens of `source` go to `destination`, which takes its place in the sequence's table.
struct BlockMove {
  SequenceId sequence = 0;
  BlockId source = 0;
  BlockId destination = 0;
};

class KvAllocator {
 public:
  virtual ~KvAllocator() = default;

  // The first `blocks_now` blocks of a sequence that will end with `blocks_final`, in table order.
  // If they cannot be placed, nullopt, and nothing has changed. The sequence must not be live.
  std::optional<std::vector<BlockId>> admit(SequenceId sequence, std::int32_t blocks_now,
                                            std::int32_t blocks_final);
  // The next block of a live sequence; nullopt if there is none.
  std::optional<BlockId> append(SequenceId sequence);
  // `count` blocks for speculative branches, all or none. They go back by unref(), or they join the
  // sequence's table.
  std::optional<std::vector<BlockId>> scratch(SequenceId sequence, std::int32_t count);
  // Ends a sequence: drops one reference of each block of its table, in the policy's order.
  void release(SequenceId sequence, Span<BlockId> table);

  // Better places for blocks that are live and have one owner; most policies know none. The books
  // have them already, so the caller must bring tables and contents after, move by move in this
  // order: a source may be the destination of a later move.
  std::vector<BlockMove> rearrange();

  void ref(BlockId block);           // one more owner of a live block
  void unref(Span<BlockId> blocks);  // one owner less of each, in this order
  std::int32_t refs(BlockId block) const;

  // Blocks that any sequence may still get.
  virtual std::int32_t free_blocks() const = 0;
  // Blocks set aside for a sequence that hold none of its tokens yet: neither live nor free.
  virtual std::int32_t reserved_blocks() const { return 0; }
  // At most how many free blocks a sequence that holds `held` of its `final` blocks will still
  // take; `held` is 0 for a sequence not admitted yet.
  virtual std::int32_t growth(std::int32_t held, std::int32_t final) const { return final - held; }

  virtual KvTraits traits() const { return {}; }
  const BlockCounts& counts() const { return counts_; }
  std::int32_t pool_blocks() const { return static_cast<std::int32_t>(refs_.size()); }
  // Throws InternalError unless live + reserved + free is the pool. Cheap enough for every step.
  void check_conservation() const;

 protected:
  explicit KvAllocator(std::int32_t pool_blocks);

 private:
  // What a policy decides. All or nothing, as in the public functions. take_back() gets each block
  // whose last reference went; forget() ends the sequence afterwards.
  virtual std::optional<std::vector<BlockId>> place(SequenceId sequence, std::int32_t blocks_now,
                                                    std::int32_t blocks_final) = 0;
  virtual std::optional<std::vector<BlockId>> place_scratch(SequenceId sequence,
                                                            std::int32_t count) = 0;
  virtual std::optional<BlockId> place_next(SequenceId sequence) = 0;
  virtual void take_back(BlockId block) = 0;
  virtual void forget(SequenceId sequence) = 0;
  // What rearrange() returns, done to the policy's own books.
  virtual std::vector<BlockMove> plan_moves() { return {}; }

  void hand_out(BlockId block);

  std::vector<std::int32_t> refs_;  // by block
  BlockCounts counts_;
};

// A policy that a configuration may name. `rounding` says what its pool must be whole of.
enum class PoolRounding { kBlock, kRegion };
struct KvPolicy {
  std::string_view name;
  std::string_view description;
  PoolRounding rounding;
  std::unique_ptr<KvAllocator> (*make)(const PoolConfig&);
};

Span<KvPolicy> kv_policies();
// Throws InputError, naming the known policies.
const KvPolicy& kv_policy(std::string_view name);
// Throws InputError for an unknown policy, and for a pool that it cannot manage.
std::unique_ptr<KvAllocator> make_kv_allocator(std::string_view policy, const PoolConfig& config);

}  // namespace lockstep
