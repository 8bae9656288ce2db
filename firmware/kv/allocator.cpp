#include "firmware/kv/allocator.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {

KvAllocator::KvAllocator(std::int32_t pool_blocks) : refs_(static_cast<std::size_t>(pool_blocks)) {}

std::optional<std::vector<BlockId>> KvAllocator::admit(SequenceId sequence, std::int32_t blocks_now,
                                                       std::int32_t blocks_final) {
  ensure(0 <= blocks_now && blocks_now <= blocks_final, "a sequence begins larger than it ends");
  auto blocks = place(sequence, blocks_now, blocks_final);
  if (blocks) {
    for (const auto block : *blocks) hand_out(block);
  }
  return blocks;
}

std::optional<BlockId> KvAllocator::append(SequenceId sequence) {
  const auto block = place_next(sequence);
  if (block) hand_out(*block);
  return block;
}

std::optional<std::vector<BlockId>> KvAllocator::scratch(SequenceId sequence, std::int32_t count) {
  auto blocks = place_scratch(sequence, count);
  if (blocks) {
    for (const auto block : *blocks) hand_out(block);
  }
  return blocks;
}

void KvAllocator::release(SequenceId sequence, Span<BlockId> table) {
  if (traits().release_order == KvTraits::ReleaseOrder::kTable) {
    unref(table);
  } else {
    std::vector<BlockId> reversed(table.begin(), table.end());
    std::reverse(reversed.begin(), reversed.end());
    unref(reversed);
  }
  forget(sequence);
}

std::vector<BlockMove> KvAllocator::rearrange() {
  auto moves = plan_moves();
  for (const auto& move : moves) {
    ensure(refs(move.source) == 1, "a block moved that has not exactly one owner");
    ensure(refs(move.destination) == 0, "a block moved onto one that is live");
    refs_[static_cast<std::size_t>(move.source)] = 0;
    refs_[static_cast<std::size_t>(move.destination)] = 1;
    ++counts_.moved;
  }
  return moves;
}

void KvAllocator::ref(BlockId block) {
  ensure(refs(block) > 0, "a block that nobody owns gained an owner");
  ++refs_[static_cast<std::size_t>(block)];
}

void KvAllocator::unref(Span<BlockId> blocks) {
  for (const auto block : blocks) {
    ensure(refs(block) > 0, "a block was freed twice");
    if (--refs_[static_cast<std::size_t>(block)] > 0) continue;
    ++counts_.freed;
    take_back(block);
  }
}

std::int32_t KvAllocator::refs(BlockId block) const {
  ensure(0 <= block && block < pool_blocks(), "a block lies outside the pool");
  return refs_[static_cast<std::size_t>(block)];
}

void KvAllocator::hand_out(BlockId block) {
  ensure(refs(block) == 0, "a block was given to two owners");
  refs_[static_cast<std::size_t>(block)] = 1;
  ++counts_.allocated;
}

void KvAllocator::check_conservation() const {
  const auto live = counts_.allocated - counts_.freed;
  ensure(live + reserved_blocks() + free_blocks() == pool_blocks(), "KV blocks were lost or made");
}

}  // namespace lockstep
