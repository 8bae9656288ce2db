#include "firmware/serving/speculation.h"

#include <algorithm>
#include <string>

#include "firmware/serving/pool.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

void check(const Speculation& speculation) {
  std::string wrong;
  const auto require = [&wrong](bool holds, const char* message) {
    if (!holds) wrong += (wrong.empty() ? "" : "\n") + std::string("speculation: ") + message;
  };
  require(1 <= speculation.branches && speculation.branches <= 1024,
          "`branches` must be in [1, 1024]");
  require(1 <= speculation.drafts && speculation.drafts <= 1024, "`drafts` must be in [1, 1024]");
  require(speculation.acceptance >= 0 && speculation.acceptance <= 1,
          "`acceptance` must be in [0, 1]");
  if (!wrong.empty()) throw InputError(wrong);
}

}  // namespace

Speculator::Speculator(const Speculation& speculation, std::int32_t block_tokens,
                       ServingCounters& counters)
    : speculation_(speculation),
      block_tokens_(block_tokens),
      counters_(counters),
      random_(speculation.seed) {
  check(speculation);
}

std::int32_t Speculator::round(Sequence& sequence, BlockManager& manager) {
  const auto accepted = std::min(draw_accepted(), sequence.tokens_to_come());
  const auto winner =
      static_cast<std::int32_t>(random_() % static_cast<std::uint64_t>(speculation_.branches));
  auto scratch =
      manager.scratch(sequence, speculation_.branches * blocks_per_branch(sequence.tokens));
  if (!scratch) return 0;
  ++counters_.speculation_rounds;
  copy_on_write(sequence, *scratch, manager);
  const bool spliced = speculation_.commit == Speculation::Commit::kSplice &&
                       manager.allocator().traits().ownership == KvTraits::Ownership::kBlocks;
  return spliced ? splice(sequence, std::move(*scratch), accepted, winner, manager)
                 : copy_back(sequence, *scratch, accepted, winner, manager);
}

std::int32_t Speculator::most_scratch_blocks() const {
  return speculation_.branches * blocks_per_branch(block_tokens_ - 1);
}

// The drafts that are right, and the token that the check itself yields.
std::int32_t Speculator::draw_accepted() {
  constexpr double kTwoToThe53 = 9007199254740992.0;
  std::int32_t right = 0;
  double probability = 1;
  while (right < speculation_.drafts) {
    probability *= speculation_.acceptance;
    if (static_cast<double>(random_() >> 11) / kTwoToThe53 >= probability) break;
    ++right;
  }
  return right + 1;
}

void Speculator::copy_on_write(const Sequence& sequence, const std::vector<BlockId>& scratch,
                               BlockManager& manager) {
  const auto partial = sequence.tokens % block_tokens_;
  if (partial == 0) return;
  const auto source = sequence.blocks[static_cast<std::size_t>(sequence.tokens / block_tokens_)];
  const auto per_branch = static_cast<std::size_t>(blocks_per_branch(sequence.tokens));
  for (std::size_t first = 0; first < scratch.size(); first += per_branch) {
    manager.copies().push_back(
        {BlockCopy::Reason::kCopyOnWrite, source, scratch[first], 0, partial});
    counters_.copy_on_write_tokens += partial;
  }
}

std::int32_t Speculator::splice(Sequence& sequence, std::vector<BlockId> scratch,
                                std::int32_t accepted, std::int32_t winner, BlockManager& manager) {
  const auto tail = sequence.blocks.begin() + sequence.tokens / block_tokens_;
  const auto partial = sequence.tokens % block_tokens_;
  const auto first = scratch.begin() + winner * blocks_per_branch(sequence.tokens);
  const auto last = first + blocks_for(partial + accepted, block_tokens_);
  const std::vector<BlockId> kept(first, last);

  std::vector<BlockId> dropped(tail, sequence.blocks.end());
  if (!dropped.empty()) ++sequence.table_version;
  scratch.erase(first, last);
  dropped.insert(dropped.end(), scratch.begin(), scratch.end());
  sequence.blocks.erase(tail, sequence.blocks.end());
  sequence.blocks.insert(sequence.blocks.end(), kept.begin(), kept.end());
  manager.allocator().unref(dropped);
  return accepted;
}

// The tail grows while the branches still hold their blocks. Without room for all accepted tokens
// the sequence keeps those that have some.
std::int32_t Speculator::copy_back(Sequence& sequence, const std::vector<BlockId>& scratch,
                                   std::int32_t accepted, std::int32_t winner,
                                   BlockManager& manager) {
  const auto room = [&] {
    return static_cast<std::int32_t>(sequence.blocks.size()) * block_tokens_ - sequence.tokens;
  };
  while (room() < accepted && manager.grow(sequence) == Outcome::kDone) {
  }
  accepted = std::min(accepted, room());

  const auto base = sequence.tokens / block_tokens_;
  const auto branch = winner * blocks_per_branch(sequence.tokens);
  const auto end = sequence.tokens + accepted;
  for (auto token = sequence.tokens; token < end;) {
    const auto block = token / block_tokens_;
    const auto stop = std::min(end, (block + 1) * block_tokens_);
    manager.copies().push_back(
        {BlockCopy::Reason::kCopyBack, scratch[static_cast<std::size_t>(branch + block - base)],
         sequence.blocks[static_cast<std::size_t>(block)], token % block_tokens_, stop - token});
    token = stop;
  }
  counters_.copied_back_tokens += accepted;
  manager.allocator().unref(scratch);
  return accepted;
}

std::int32_t Speculator::blocks_per_branch(std::int32_t tokens) const {
  return blocks_for(std::int64_t{tokens % block_tokens_} + speculation_.drafts + 1, block_tokens_);
}

}  // namespace lockstep
