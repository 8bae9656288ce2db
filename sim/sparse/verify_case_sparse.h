// One random case of `lockstep verify dsa`: a sequence on the banks, and lists for each KV head.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/attention/pass_data.h"
#include "firmware/dsa/sparse_attention.h"
#include "hw/stack/stack_config.h"

namespace lockstep {

struct SparseVerifyCase {
  std::int64_t index = 0;
  KvTensorShape shape;
  int group = 1;
  int queries_per_column = 1;
  Pipeline pipeline = Pipeline::kNone;
  std::int64_t tokens = 0;
  std::vector<BlockId> places;        // by block, scattered over the pool
  std::vector<AttentionLists> lists;  // by KV head
  std::vector<float> keys;            // [head][token][dim]: numbers that fp16 holds
  std::vector<float> values;          // the same
  std::vector<float> queries;         // [head][query][dim]

  std::string text() const;  // one line, to repeat it by
  HeadView head(int head, int query) const;
};

// Sequences of 2 to 40 blocks, the last open more often than not; lists that are independent,
// equal, empty or disjoint.
SparseVerifyCase make_sparse_case(std::uint64_t seed, std::int64_t index);

// The stack it runs on: `base` under host-cacheline, with storage and units that hold its columns.
StackConfig sparse_verify_stack(const StackConfig& base);

}  // namespace lockstep
