#include "firmware/kv/neupims.h"

#include <numeric>
#include <string>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::int32_t kUnitTokens = 16;         // the keys of 32 tokens, or the values of 32
constexpr std::int32_t kUnitsPerValuePage = 16;  // 512 tokens

std::int32_t unit_blocks(std::int32_t block_tokens) {
  if (block_tokens < 1 || kUnitTokens % block_tokens != 0) {
    throw SettingError("kv.block_tokens", "policy `neupims` needs `block_tokens` that divide " +
                                              std::to_string(kUnitTokens) + ", got " +
                                              std::to_string(block_tokens));
  }
  return kUnitTokens / block_tokens;
}

std::int32_t ceil_div(std::int32_t a, std::int32_t b) {
  return (a + b - 1) / b;
}

}  // namespace

NeuPims::NeuPims(const PoolConfig& config)
    : KvAllocator(config.pool_blocks),
      unit_blocks_(unit_blocks(config.block_tokens)),
      units_(static_cast<std::size_t>(config.pool_blocks / unit_blocks_)),
      free_(units_.size()) {
  std::iota(free_.begin(), free_.end(), 0);
}

std::int32_t NeuPims::free_blocks() const {
  return static_cast<std::int32_t>(free_.size()) * unit_blocks_;
}

std::int32_t NeuPims::units_for(std::int32_t entries) const {
  const auto groups = ceil_div(entries, 2 * unit_blocks_);
  return groups + ceil_div(groups, kUnitsPerValuePage) * kUnitsPerValuePage;
}

std::int32_t NeuPims::growth(std::int32_t held, std::int32_t final) const {
  return (units_for(final) - units_for(held)) * unit_blocks_;
}

std::optional<std::vector<BlockId>> NeuPims::place(SequenceId sequence, std::int32_t blocks_now,
                                                   std::int32_t /*blocks_final*/) {
  if (units_for(blocks_now) > static_cast<std::int32_t>(free_.size())) return std::nullopt;
  const auto [pages, is_new] = pages_.try_emplace(sequence);
  ensure(is_new, "a live sequence was admitted again");
  std::vector<BlockId> blocks;
  for (std::int32_t i = 0; i < blocks_now; ++i) blocks.push_back(next_entry(pages->second));
  return blocks;
}

std::optional<BlockId> NeuPims::place_next(SequenceId sequence) {
  auto& pages = pages_.at(sequence);
  const auto missing = units_for(pages.entries + 1) - units_for(pages.entries);
  if (missing > static_cast<std::int32_t>(free_.size())) return std::nullopt;
  return next_entry(pages);
}

BlockId NeuPims::next_entry(Pages& pages) {
  const auto group = static_cast<std::size_t>(pages.entries / (2 * unit_blocks_));
  const auto in_group = pages.entries % (2 * unit_blocks_);
  if (pages.keys.size() <= group) pages.keys.push_back(pop(Owner::kSequence));
  while (pages.values.size() <= group || pages.values.size() % kUnitsPerValuePage != 0) {
    pages.values.push_back(pop(Owner::kSequence));
  }
  ++pages.entries;
  const auto id = in_group < unit_blocks_ ? pages.keys[group] : pages.values[group];
  ++unit(id).live;
  ++live_;
  return id * unit_blocks_ + in_group % unit_blocks_;
}

// Branches have no pages: they take units of nobody, which are free again with their last block.
std::optional<std::vector<BlockId>> NeuPims::place_scratch(SequenceId /*sequence*/,
                                                           std::int32_t count) {
  if (ceil_div(count, unit_blocks_) > static_cast<std::int32_t>(free_.size())) return std::nullopt;
  std::vector<BlockId> blocks;
  UnitId id = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    if (i % unit_blocks_ == 0) id = pop(Owner::kNone);
    ++unit(id).live;
    ++live_;
    blocks.push_back(id * unit_blocks_ + i % unit_blocks_);
  }
  return blocks;
}

NeuPims::UnitId NeuPims::pop(Owner owner) {
  const auto id = free_.front();
  free_.pop_front();
  unit(id).owner = owner;
  return id;
}

void NeuPims::take_back(BlockId block) {
  const UnitId id = block / unit_blocks_;
  --live_;
  if (--unit(id).live == 0 && unit(id).owner == Owner::kNone) free_.push_back(id);
}

void NeuPims::forget(SequenceId sequence) {
  const auto pages = pages_.find(sequence);
  ensure(pages != pages_.end(), "a sequence without pages was released");
  for (const auto* units : {&pages->second.keys, &pages->second.values}) {
    for (const auto id : *units) {
      unit(id).owner = Owner::kNone;
      if (unit(id).live == 0) free_.push_back(id);
    }
  }
  pages_.erase(pages);
}

}  // namespace lockstep
