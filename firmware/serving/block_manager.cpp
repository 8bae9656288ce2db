#include "firmware/serving/block_manager.h"

#include <algorithm>
#include <map>
#include <utility>

#include "firmware/serving/pool.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// A sequence that owns a span shares nothing, whatever the trace knows.
BlockManagerConfig applicable(BlockManagerConfig config, const KvTraits& traits) {
  if (traits.ownership == KvTraits::Ownership::kSpan) {
    config.sharing = PrefixSharing::kOff;
  } else {
    config.span_scratch_blocks = 0;
  }
  return config;
}

}  // namespace

BlockManager::BlockManager(const BlockManagerConfig& config, KvAllocator& allocator,
                           ServingCounters& counters)
    : config_(applicable(config, allocator.traits())),
      traits_(allocator.traits()),
      allocator_(allocator),
      counters_(counters),
      pinned_(config.block_tokens, allocator),
      hashed_(config.block_tokens, allocator) {}

template <typename Attempt>
auto BlockManager::evicting(Attempt attempt) {
  auto result = attempt();
  while (!result && hashed_.evictable() > 0) {
    hashed_.evict();
    ++counters_.prefix_evicted_blocks;
    result = attempt();
  }
  return result;
}

Outcome BlockManager::admit(Sequence& sequence, std::int64_t kept_free,
                            std::int32_t counted_tokens) {
  const auto& request = *sequence.request;
  const bool by_number = config_.sharing == PrefixSharing::kPrefixId && request.prefix_id >= 0;
  const bool by_hash = config_.sharing == PrefixSharing::kHashIds;
  auto table = by_hash ? hashed_.acquire(request) : std::vector<BlockId>{};
  const auto shared =
      by_number ? pinned_.shareable_blocks(request) : static_cast<std::int32_t>(table.size());
  const auto counted =
      blocks_for(counted_tokens, config_.block_tokens) + config_.span_scratch_blocks - shared;
  const auto for_prefix = by_number ? pinned_.demand(request) : 0;

  std::optional<std::vector<BlockId>> own;
  if (allocator_.free_blocks() + hashed_.evictable() >=
      kept_free + allocator_.growth(0, counted) + for_prefix) {
    if (by_number) {
      table = evicting([&] { return pinned_.share(request); }).value_or(std::vector<BlockId>{});
    }
    if (static_cast<std::int32_t>(table.size()) == shared) own = place(sequence, shared);
  }
  if (!own) {
    allocator_.unref(table);
    hashed_.released(table);
    return Outcome::kNoRoom;
  }
  table.insert(table.end(), own->begin(), own->end());
  if (by_hash) hashed_.insert(request, table);
  sequence.blocks = std::move(table);
  sequence.shared_blocks = shared;
  ++sequence.table_version;
  counters_.prefix_hit_blocks += shared;
  return Outcome::kDone;
}

std::optional<std::vector<BlockId>> BlockManager::place(const Sequence& sequence,
                                                        std::int32_t shared) {
  const auto now = blocks_for(sequence.tokens, config_.block_tokens) - shared;
  return evicting(
      [&] { return allocator_.admit(sequence.id, now, final_blocks(sequence) - shared); });
}

std::optional<std::vector<BlockId>> BlockManager::scratch(const Sequence& sequence,
                                                          std::int32_t count) {
  return evicting([&] { return allocator_.scratch(sequence.id, count); });
}

Outcome BlockManager::grow(Sequence& sequence) {
  const auto block = evicting([&] { return allocator_.append(sequence.id); });
  if (!block) return Outcome::kNoRoom;

  auto& table = sequence.blocks;
  const bool staged = traits_.tail == KvTraits::Tail::kStaged &&
                      static_cast<std::int32_t>(table.size()) > sequence.shared_blocks;
  if (staged) {
    const auto staging = std::exchange(table.back(), *block);
    table.push_back(staging);
    ++sequence.table_version;
    copies_.push_back({BlockCopy::Reason::kStaging, staging, *block, 0, config_.block_tokens});
    counters_.staged_tokens += config_.block_tokens;
  } else {
    table.push_back(*block);
  }
  return Outcome::kDone;
}

void BlockManager::release(Sequence& sequence) {
  allocator_.release(sequence.id, sequence.blocks);
  hashed_.released(sequence.blocks);
  sequence.blocks.clear();
  sequence.shared_blocks = 0;
  ++sequence.table_version;
}

void BlockManager::rearrange(std::vector<Sequence>& running, std::int64_t step) {
  const auto moves = allocator_.rearrange();
  if (moves.empty()) return;
  std::map<SequenceId, Sequence*> by_id;
  for (auto& sequence : running) by_id[sequence.id] = &sequence;
  for (const auto& move : moves) {
    const auto found = by_id.find(move.sequence);
    ensure(found != by_id.end(), "a block moved of a sequence that does not run");
    auto& sequence = *found->second;
    const auto entry = std::find(sequence.blocks.begin(), sequence.blocks.end(), move.source);
    ensure(entry != sequence.blocks.end(), "a block moved that is not in its sequence's table");
    *entry = move.destination;
    ++sequence.table_version;
    if (sequence.admitted_step == step) continue;
    const auto index = static_cast<std::int32_t>(entry - sequence.blocks.begin());
    const auto tokens =
        std::min(config_.block_tokens, sequence.tokens - index * config_.block_tokens);
    copies_.push_back({BlockCopy::Reason::kGather, move.source, move.destination, 0, tokens});
    counters_.gathered_tokens += tokens;
  }
}

std::int32_t BlockManager::committed(const Sequence& sequence) const {
  const auto held = static_cast<std::int32_t>(sequence.blocks.size());
  return allocator_.growth(held - sequence.shared_blocks,
                           final_blocks(sequence) - sequence.shared_blocks);
}

std::int32_t BlockManager::final_blocks(const Sequence& sequence) const {
  return blocks_for(sequence.final_tokens(), config_.block_tokens) + config_.span_scratch_blocks;
}

}  // namespace lockstep
