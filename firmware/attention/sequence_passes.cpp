#include "firmware/attention/sequence_passes.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {

SequencePasses::SequencePasses(const PassPlan& plan) : plan_(&plan) {
  clear();
}

void SequencePasses::clear() {
  classes_.assign(static_cast<std::size_t>(plan_->map.classes()), ClassPasses(plan_->map.banks()));
  tokens_ = 0;
}

void SequencePasses::resync(Span<BlockId> blocks, std::int64_t tokens,
                            std::uint64_t table_version) {
  if (table_version != table_version_ || tokens < tokens_) clear();
  table_version_ = table_version;
  append(blocks, tokens);
}

void SequencePasses::assign(Span<BlockId> blocks, std::int64_t tokens_in_last) {
  clear();
  const std::int64_t block_tokens = plan_->map.shape().block_tokens;
  ensure(blocks.size() > 0 && tokens_in_last >= 1 && tokens_in_last <= block_tokens,
         "the last block of a list holds 1 to block_tokens tokens");
  append(blocks, (static_cast<std::int64_t>(blocks.size()) - 1) * block_tokens + tokens_in_last);
}

void SequencePasses::append(Span<BlockId> blocks, std::int64_t tokens) {
  const std::int64_t block_tokens = plan_->map.shape().block_tokens;
  ensure(tokens <= static_cast<std::int64_t>(blocks.size()) * block_tokens,
         "a block table holds all tokens of its sequence");
  for (; tokens_ < tokens; ++tokens_) {
    const BlockId block = blocks[static_cast<std::size_t>(tokens_ / block_tokens)];
    const auto in_block = static_cast<int>(tokens_ % block_tokens);
    const auto token = static_cast<std::int32_t>(tokens_);
    const auto key = plan_->map.place(KvTensor::kKey, block, in_block);
    auto& passes = classes_[static_cast<std::size_t>(key.channel_class)];
    if (passes.keys.add(key, token)) passes.stale = true;
    if (mirrored()) continue;
    const auto value = plan_->map.place(KvTensor::kValue, block, in_block);
    ensure(value.channel_class == key.channel_class, "K and V of a token lie in one domain");
    if (passes.values.add(value, token)) passes.stale = true;
  }
}

const Stripes& SequencePasses::stripes(int channel_class, KvTensor tensor) const {
  const auto& passes = of_class(channel_class);
  return tensor == KvTensor::kKey || mirrored() ? passes.keys : passes.values;
}

int SequencePasses::first_value_chunk(int channel_class) const {
  return mirrored() ? 0 : chunks_of(of_class(channel_class).keys);
}

void SequencePasses::refresh(const ClassPasses& passes, int channel_class) const {
  if (passes.stale) {
    passes.runs.clear();
    for (int head = 0; head < plan_->map.local_heads(); ++head) {
      for (const auto& group : plan_->queries) {
        passes.runs.push_back(pass_runs(plan_->map, head, group, passes.keys,
                                        stripes(channel_class, KvTensor::kValue),
                                        first_value_chunk(channel_class)));
      }
    }
  } else if (passes.elements_of != passes.keys.tokens()) {
    for (std::size_t i = 0; i < passes.runs.size(); ++i) {
      const auto& group = plan_->queries[i % plan_->queries.size()];
      passes.runs[i].scores.back().elements =
          static_cast<std::int32_t>(passes.keys.tokens()) * group.queries;
    }
  }
  passes.stale = false;
  passes.elements_of = passes.keys.tokens();
}

const PassRuns& SequencePasses::runs(int channel_class, int pass) const {
  const auto& passes = of_class(channel_class);
  ensure(passes.keys.tokens() > 0, "passes are asked for only where there are tokens");
  refresh(passes, channel_class);
  return passes.runs[static_cast<std::size_t>(pass)];
}

}  // namespace lockstep
