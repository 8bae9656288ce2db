// Attention of one sequence as firmware and hardware do it together: placed by the tensor map, run
// by the step kernels on a stack that computes.
#pragma once

#include <functional>
#include <vector>

#include "firmware/attention/pass_data.h"
#include "hw/stack/direct_stack.h"
#include "sim/attention/verify_case.h"

namespace lockstep {

struct Heads {
  std::vector<double> output;  // [head][query][dim]
  FunctionalStats stats;
  ChannelStats channels;
};

using Element = std::function<double(std::int64_t token, int head, int dim)>;

struct HeadsCase {
  KvTensorShape shape;
  int group = 1;
  int queries_per_column = 1;
  Pipeline pipeline = Pipeline::kNone;
  std::int64_t tokens = 1;
};

// K and V in fp16 as the functions say, queries of 1 in dim 0 and 0 else; blocks in descending
// order.
inline Heads attend(const StackConfig& config, const HeadsCase& c, const Element& key,
                    const Element& value) {
  DirectStack stack(config);
  const KvTensorMap map(config.map, config.geometry, config.channels_per_domain(), c.shape);
  const QueryUnit unit{c.queries_per_column, config.bank_unit.queries,
                       config.bank_unit.column_parts};
  const PassPlan plan{map, split_queries(c.group, map.parts(), unit), {}};
  std::vector<BlockId> blocks;
  for (auto b = (c.tokens - 1) / c.shape.block_tokens; b >= 0; --b)
    blocks.push_back(static_cast<BlockId>(b));
  const KvPools pools(map, 1, static_cast<std::int64_t>(blocks.size()));
  for (std::int64_t t = 0; t < c.tokens; ++t) {
    for (const auto tensor : {KvTensor::kKey, KvTensor::kValue}) {
      std::vector<std::uint8_t> bytes;
      for (int head = 0; head < c.shape.kv_heads; ++head) {
        for (int dim = 0; dim < c.shape.head_dim; ++dim) {
          const auto bits =
              fp16_from_double((tensor == KvTensor::kKey ? key : value)(t, head, dim));
          bytes.push_back(static_cast<std::uint8_t>(bits & 0xFF));
          bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
        }
      }
      const auto block = blocks[static_cast<std::size_t>(t / c.shape.block_tokens)];
      stack.poke(pools.address(0, tensor, block, static_cast<int>(t % c.shape.block_tokens)),
                 bytes);
    }
  }
  SequencePasses passes(plan);
  passes.resync(blocks, c.tokens, 1);
  SequenceQueries queries;
  for (int i = 0; i < c.shape.kv_heads * c.group * c.shape.head_dim; ++i)
    queries.push_back(fp16_from_double(i % c.shape.head_dim == 0 ? 1 : 0));
  const SequenceList list{&passes};
  const PassNumbers numbers(plan, 0);
  stack.execute(step_kernels_with_data(plan, c.queries_per_column,
                                       step_kernels(plan, pools, 0, c.pipeline, list), list,
                                       {queries}, numbers),
                {nullptr, 0});
  stack.check_identities();
  Heads heads;
  heads.output = outputs_of(plan, numbers, 1, c.group, stack.take_results())[0];
  heads.stats = stack.functional().total_stats();
  heads.channels = stack.total_stats();
  return heads;
}

}  // namespace lockstep
