#include "firmware/kernels/sequence_stream.h"

#include <algorithm>
#include <utility>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

Kernels kernels_of(const KvLayout& layout, const SequenceStream& stream) {
  Kernels kernels;
  for (std::size_t i = 0; i < layout.classes().size(); ++i) {
    kernels.visits.push_back(stream.visits(i));
  }
  kernels.score = stream.score();
  return kernels;
}

}  // namespace

SequenceStream::SequenceStream(const KvLayout& layout, const Reorder& reorder)
    : layout_(&layout), reorder_(reorder) {
  clear();
}

void SequenceStream::clear() {
  const int lanes = layout_->geometry().banks_per_pseudo_channel();
  streams_.assign(layout_->classes().size(), make_command_stream(reorder_, lanes));
  tokens_ = 0;
}

void SequenceStream::resync(Span<BlockId> blocks, std::int64_t tokens,
                            std::uint64_t table_version) {
  if (table_version != table_version_ || tokens < tokens_) clear();
  table_version_ = table_version;
  append_tokens(blocks, tokens - tokens_);
}

void SequenceStream::append_tokens(Span<BlockId> blocks, std::int64_t tokens) {
  const auto block_tokens = layout_->shape().block_tokens;
  const auto end = tokens_ + tokens;
  ensure(tokens >= 0, "tokens are appended, never taken away");
  ensure(end <= static_cast<std::int64_t>(blocks.size()) * block_tokens,
         "a block table holds all tokens of its sequence");
  while (tokens_ < end) {
    const auto first = tokens_ % block_tokens;
    const auto count = std::min(block_tokens - first, end - tokens_);
    read_run({blocks[static_cast<std::size_t>(tokens_ / block_tokens)], first, count});
  }
  settle();
}

void SequenceStream::append_run(const TokenRun& run) {
  read_run(run);
  settle();
}

void SequenceStream::read_run(const TokenRun& run) {
  layout_->for_each_granule(
      run.block, run.first_token, run.tokens,
      [this](std::size_t channel_class, const Burst& granule, Span<Burst> offsets) {
        std::visit([&](auto& commands) { commands.push(granule, offsets); },
                   streams_[channel_class]);
      });
  tokens_ += run.tokens;
}

void SequenceStream::settle() {
  for (auto& stream : streams_) {
    std::visit([](auto& commands) { commands.settle(); }, stream);
  }
}

Score SequenceStream::score() const {
  Score score;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const auto members = static_cast<std::int64_t>(layout_->classes()[i].members.size());
    const auto& counts =
        std::visit([](const auto& commands) -> const CommandCounts& { return commands.counts(); },
                   streams_[i]);
    score.bursts += members * counts.bursts;
    score.commands += members * counts.commands;
    score.hits += members * (counts.commands - counts.misses);
  }
  return score;
}

const RowVisits& SequenceStream::visits(std::size_t channel_class) const {
  return std::visit([](const auto& commands) -> const RowVisits& { return commands.visits(); },
                    streams_[channel_class]);
}

Kernels visits_of(const KvLayout& layout, const Reorder& reorder, Span<BlockId> blocks,
                  std::int64_t tokens_in_last) {
  SequenceStream stream(layout, reorder);
  if (blocks.size() > 0) {
    const auto block_tokens = layout.shape().block_tokens;
    ensure(tokens_in_last >= 1 && tokens_in_last <= block_tokens,
           "the last block of a list holds 1 to block_tokens tokens");
    const auto whole_blocks = static_cast<std::int64_t>(blocks.size()) - 1;
    stream.append_tokens(blocks, whole_blocks * block_tokens + tokens_in_last);
  }
  return kernels_of(layout, stream);
}

Kernels visits_of(const KvLayout& layout, const Reorder& reorder, Span<TokenRun> runs) {
  SequenceStream stream(layout, reorder);
  for (const auto& run : runs) stream.append_run(run);
  return kernels_of(layout, stream);
}

}  // namespace lockstep
