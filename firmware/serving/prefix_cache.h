// KV blocks that several prompts share. A trace tells which tokens are the same by a prefix's
// number or by hashes of runs of tokens; only blocks full of such tokens are shared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "firmware/kv/allocator.h"
#include "firmware/workload/request.h"

namespace lockstep {

// By `prefix_id`: the blocks of a common prefix are placed once, as a sequence of their own, and
// stay for ever.
class PinnedPrefixes {
 public:
  PinnedPrefixes(std::int32_t block_tokens, KvAllocator& allocator);

  std::int32_t shareable_blocks(const Request& request) const;
  // Free blocks that share() would take now.
  std::int32_t demand(const Request& request) const;
  // The prefix's blocks, each with one reference more for the caller; nullopt if they do not fit.
  std::optional<std::vector<BlockId>> share(const Request& request);

 private:
  const std::int32_t block_tokens_;
  KvAllocator& allocator_;
  std::map<std::int32_t, std::vector<BlockId>> tables_;  // by prefix_id
};

// By `hash_ids`: blocks of earlier prompts are kept, one reference each, until room is needed; the
// least recently used goes first, the end of a prompt before its beginning.
class HashedPrefixes {
 public:
  HashedPrefixes(std::int32_t block_tokens, KvAllocator& allocator);

  // The longest run of the prompt's first blocks that are cached, each with one reference more for
  // the caller.
  std::vector<BlockId> acquire(const Request& request);
  // Keeps the prompt's shareable blocks, which `table` begins with.
  void insert(const Request& request, Span<BlockId> table);
  // Says that references of `table` were dropped, so that its blocks may have become evictable.
  void released(Span<BlockId> table);
  std::int32_t evictable() const { return static_cast<std::int32_t>(idle_.size()); }
  // Frees the least recently used block that nobody else refers to; there must be one.
  void evict();

 private:
  using Prefix = std::int64_t;                  // a run of hash ids from the prompt's start
  using Key = std::pair<Prefix, std::int32_t>;  // the prefix that covers a block, and its place
  struct Entry {
    Key key;
    std::int64_t last_use = 0;  // meaningful while idle
  };

  std::vector<Key> keys_of(const Request& request);

  const std::int32_t block_tokens_;
  KvAllocator& allocator_;
  std::int64_t uses_ = 0;
  std::map<std::pair<Prefix, std::uint64_t>, Prefix> longer_;  // a prefix and one hash id more
  std::map<Key, BlockId> cached_;
  std::map<BlockId, Entry> entries_;
  std::set<std::pair<std::int64_t, BlockId>>
      idle_;  // (last use, block): only the cache refers to it
};

}  // namespace lockstep
