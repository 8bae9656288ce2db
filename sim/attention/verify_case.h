// One random case of `lockstep verify attention`: sequences, their places and their data.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/attention/pass_data.h"
#include "hw/stack/stack_config.h"
#include "sim/attention/channel_map.h"

namespace lockstep {

// The stacks that cases run on, by what sets them apart from the configuration of the command.
struct VerifyStack {
  std::string_view name;
  std::string_view map;
  AllBankScope scope;
  int stack_ids;
};
constexpr VerifyStack kVerifyStacks[] = {
    {"host-cacheline", "host-cacheline", AllBankScope::kPseudoChannel, 1},
    {"host-centric", "host-centric", AllBankScope::kPseudoChannel, 1},
    {"channel-scope", kChannelMap, AllBankScope::kChannel, 1},
    {"two-sids", kChannelMap, AllBankScope::kChannel, 2},
};
constexpr std::size_t kVerifyStackCount = std::size(kVerifyStacks);

// Those stacks, with banks that compute and the timing of `file`, in the order of kVerifyStacks.
std::vector<StackConfig> verify_stacks(const std::string& file);

struct VerifyCase {
  std::int64_t index = 0;
  std::size_t stack = 0;  // of kVerifyStacks
  std::string policy;     // an allocator, or `shuffled`
  KvTensorShape shape;
  int group = 1;
  int queries_per_column = 1;
  Pipeline pipeline = Pipeline::kNone;
  KvScales scales;
  std::vector<std::int64_t> tokens;          // by sequence
  std::vector<std::vector<BlockId>> tables;  // by sequence
  std::int64_t pool_blocks = 0;
  std::uint64_t seed = 0;  // of the data

  std::string text() const;  // one line, to repeat it by
};

// Case `index` of a run with `seed`. Most sequences are short, some of up to 3,000 tokens.
VerifyCase make_verify_case(std::uint64_t seed, std::int64_t index);

}  // namespace lockstep
