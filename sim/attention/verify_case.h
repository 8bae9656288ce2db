// One random case of `lockstep verify attention`: sequences, their places and their data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/attention/pass_data.h"
#include "hw/stack/stack_config.h"

namespace lockstep {

struct VerifyCase {
  std::int64_t index = 0;
  std::string map_name;
  std::string policy;  // an allocator, or `shuffled`
  KvTensorShape shape;
  int group = 1;
  int queries_per_column = 1;
  Pipeline pipeline = Pipeline::kNone;
  std::vector<std::int64_t> tokens;          // by sequence
  std::vector<std::vector<BlockId>> tables;  // by sequence
  std::int64_t pool_blocks = 0;
  std::uint64_t seed = 0;  // of the data

  std::string text() const;  // one line, to repeat it by
};

// Case `index` of a run with `seed`. Most sequences are short, some of up to 3,000 tokens.
VerifyCase make_verify_case(std::uint64_t seed, std::int64_t index);

// The stack a case runs on: `base` with the case's map, and bank units that hold its columns.
StackConfig verify_stack(const StackConfig& base, const VerifyCase& verify);

}  // namespace lockstep
