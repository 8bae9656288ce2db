#include "firmware/serving/prefix_cache.h"

#include <algorithm>

#include "firmware/serving/pool.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Sequences of the allocator that no request has: -1 and -2 are its own.
SequenceId owner_of(std::int32_t prefix_id) {
  return -3 - prefix_id;
}

}  // namespace

PinnedPrefixes::PinnedPrefixes(std::int32_t block_tokens, KvAllocator& allocator)
    : block_tokens_(block_tokens), allocator_(allocator) {}

std::int32_t PinnedPrefixes::shareable_blocks(const Request& request) const {
  if (request.prefix_id < 0) return 0;
  return std::min(request.prefix_tokens, request.prompt_tokens) / block_tokens_;
}

std::int32_t PinnedPrefixes::demand(const Request& request) const {
  const auto needed = shareable_blocks(request);
  const auto table = tables_.find(request.prefix_id);
  const auto held = table == tables_.end() ? 0 : static_cast<std::int32_t>(table->second.size());
  return needed <= held ? 0 : allocator_.growth(held, needed);
}

std::optional<std::vector<BlockId>> PinnedPrefixes::share(const Request& request) {
  const auto needed = static_cast<std::size_t>(shareable_blocks(request));
  if (needed == 0) return std::vector<BlockId>{};
  const auto owner = owner_of(request.prefix_id);
  auto table = tables_.find(request.prefix_id);
  if (table == tables_.end()) {
    const auto count = static_cast<std::int32_t>(needed);
    auto blocks = allocator_.admit(owner, count, count);
    if (!blocks) return std::nullopt;
    table = tables_.emplace(request.prefix_id, std::move(*blocks)).first;
  }
  while (table->second.size() < needed) {
    const auto block = allocator_.append(owner);
    if (!block) return std::nullopt;
    table->second.push_back(*block);
  }
  std::vector<BlockId> shared(table->second.begin(),
                              table->second.begin() + static_cast<std::ptrdiff_t>(needed));
  for (const auto block : shared) allocator_.ref(block);
  return shared;
}

HashedPrefixes::HashedPrefixes(std::int32_t block_tokens, KvAllocator& allocator)
    : block_tokens_(block_tokens), allocator_(allocator) {}

std::vector<BlockId> HashedPrefixes::acquire(const Request& request) {
  std::vector<BlockId> hits;
  for (const auto& key : keys_of(request)) {
    const auto found = cached_.find(key);
    if (found == cached_.end()) break;
    hits.push_back(found->second);
    allocator_.ref(found->second);
    idle_.erase({entries_.at(found->second).last_use, found->second});
  }
  return hits;
}

void HashedPrefixes::insert(const Request& request, Span<BlockId> table) {
  std::size_t i = 0;
  for (const auto& key : keys_of(request)) {
    const auto block = table[i++];
    if (!cached_.emplace(key, block).second) continue;
    allocator_.ref(block);
    entries_[block].key = key;
  }
}

// Backwards, so that of one prompt's blocks the first is the most recently used.
void HashedPrefixes::released(Span<BlockId> table) {
  for (auto i = table.size(); i-- > 0;) {
    const auto entry = entries_.find(table[i]);
    if (entry == entries_.end() || allocator_.refs(table[i]) != 1) continue;
    entry->second.last_use = ++uses_;
    idle_.emplace(uses_, table[i]);
  }
}

void HashedPrefixes::evict() {
  ensure(!idle_.empty(), "a block was evicted that a sequence uses");
  const auto block = idle_.begin()->second;
  idle_.erase(idle_.begin());
  const auto entry = entries_.find(block);
  cached_.erase(entry->second.key);
  entries_.erase(entry);
  allocator_.unref(std::vector<BlockId>{block});
}

// One key for each block that may be shared. A hash that covers the prompt's last, partial run says
// nothing of what another prompt has there, so it is left out.
std::vector<HashedPrefixes::Key> HashedPrefixes::keys_of(const Request& request) {
  if (request.hash_block_tokens < 1) return {};
  const auto full_runs = std::min(static_cast<std::size_t>(request.prompt_tokens) /
                                      static_cast<std::size_t>(request.hash_block_tokens),
                                  request.hash_ids.size());
  std::vector<Prefix> prefixes;
  Prefix prefix = 0;
  for (std::size_t run = 0; run < full_runs; ++run) {
    const auto next = static_cast<Prefix>(longer_.size()) + 1;
    prefix = longer_.emplace(std::pair(prefix, request.hash_ids[run]), next).first->second;
    prefixes.push_back(prefix);
  }
  const auto covered = static_cast<std::int64_t>(full_runs) * request.hash_block_tokens;
  std::vector<Key> keys;
  for (std::int64_t end = block_tokens_; end <= covered; end += block_tokens_) {
    const auto last_run = static_cast<std::size_t>((end - 1) / request.hash_block_tokens);
    keys.emplace_back(prefixes[last_run], static_cast<std::int32_t>(keys.size()));
  }
  return keys;
}

}  // namespace lockstep
