#include "sim/attention/verify_case.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "firmware/kv/allocator.h"
#include "firmware/workload/random.h"
#include "sim/run/run_config.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::int64_t kMostTokens = 3000;
constexpr int kBlockTokens = 16;
constexpr std::int64_t kTokenOfAllChannels = 2048;  // 64 B in each of 32, under host-cacheline

template <typename T, std::size_t N>
T pick(Random& random, const std::array<T, N>& values) {
  return values[static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(N) - 1))];
}

std::int64_t random_length(Random& random) {
  const auto kind = random.uniform(0, 99);
  if (kind < 75) return random.uniform(1, 64);
  if (kind < 95) return random.uniform(1, 400);
  return random.uniform(1, kMostTokens);
}

std::vector<BlockId> shuffled_blocks(Random& random, std::int64_t count) {
  std::vector<BlockId> blocks;
  for (BlockId block = 0; block < count; ++block) blocks.push_back(block);
  for (std::size_t i = blocks.size(); i > 1; --i) {
    std::swap(
        blocks[i - 1],
        blocks[static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(i) - 1))]);
  }
  return blocks;
}

std::int32_t blocks_of(std::int64_t tokens) {
  return static_cast<std::int32_t>((tokens + kBlockTokens - 1) / kBlockTokens);
}

// What the policies that hand out more than blocks hold for the sequences of a case and the six
// that come before them: PIMphony a chunk of 1 MiB each, NeuPIMs 17 units of 16 blocks.
std::int64_t slack_of(const std::string& policy, const KvTensorShape& shape) {
  constexpr std::int64_t kSequences = 8;
  if (policy == "pimphony") return kSequences * (std::int64_t{1} << 20) / shape.block_bytes();
  if (policy == "neupims") return kSequences * 17 * 16;
  return 128;
}

// Others come and go before, so that the free blocks lie scattered.
void allocate(Random& random, VerifyCase& verify) {
  if (verify.policy == "shuffled") {
    const auto blocks = shuffled_blocks(random, verify.pool_blocks);
    std::size_t taken = 0;
    for (const auto tokens : verify.tokens) {
      const auto end = taken + static_cast<std::size_t>(blocks_of(tokens));
      verify.tables.emplace_back(blocks.begin() + static_cast<std::ptrdiff_t>(taken),
                                 blocks.begin() + static_cast<std::ptrdiff_t>(end));
      taken = end;
    }
    return;
  }
  PoolConfig pool;
  pool.pool_blocks = static_cast<std::int32_t>(verify.pool_blocks);
  pool.blocks_per_region = 16;
  pool.seed = verify.seed;
  pool.block_tokens = kBlockTokens;
  pool.block_bytes = verify.shape.block_bytes();
  const auto allocator = make_kv_allocator(verify.policy, pool);
  constexpr SequenceId kOthers = 1000;
  std::vector<std::vector<BlockId>> others;
  for (SequenceId other = 0; other < 6; ++other) {
    const auto blocks = static_cast<std::int32_t>(random.uniform(1, 8));
    others.push_back(
        allocator->admit(kOthers + other, blocks, blocks).value_or(std::vector<BlockId>{}));
  }
  for (SequenceId other = 0; other < 6; other += 2) {
    const auto& table = others[static_cast<std::size_t>(other)];
    if (!table.empty()) allocator->release(kOthers + other, table);
  }
  for (std::size_t s = 0; s < verify.tokens.size(); ++s) {
    const auto blocks = blocks_of(verify.tokens[s]);
    auto table = allocator->admit(static_cast<SequenceId>(s), blocks, blocks);
    ensure(table.has_value(), "the pool of a verification case holds its sequences");
    verify.tables.push_back(std::move(*table));
  }
}

}  // namespace

std::string VerifyCase::text() const {
  std::string lengths;
  for (const auto count : tokens) lengths += (lengths.empty() ? "" : "+") + std::to_string(count);
  return fmt::format(
      "case {}: {} tokens, {} heads x {} dims of {}, group {}, {} queries a column, {}, {}, {}, {}",
      index, lengths, shape.kv_heads, shape.head_dim, traits(shape.element).name, group,
      queries_per_column, kVerifyStacks[stack].name,
      kKvTensorLayouts[static_cast<std::size_t>(shape.layout)], policy,
      kPipelines[static_cast<std::size_t>(pipeline)]);
}

VerifyCase make_verify_case(std::uint64_t seed, std::int64_t index) {
  Random random(seed, static_cast<std::uint64_t>(index));
  VerifyCase verify;
  verify.index = index;
  verify.stack = pick(random, std::array<std::size_t, 6>{0, 0, 0, 1, 2, 3});
  verify.shape.kv_heads = pick(random, std::array{1, 2, 4, 8, 8});
  verify.shape.head_dim = pick(random, std::array{64, 128});
  verify.shape.block_tokens = kBlockTokens;
  verify.shape.element = random.uniform(0, 1) == 0
                             ? KvElement::kFp16
                             : kKvElements[static_cast<std::size_t>(random.uniform(0, 4))].element;
  if (verify.shape.element != KvElement::kFp16) {
    verify.scales = {random.uniform(1, 64) / 64.0, random.uniform(1, 64) / 64.0};
  }
  // K and V of a token must lie in the banks of one domain: a token fills all channels.
  const bool may_interleave =
      verify.stack == 0 && verify.shape.token_bytes() == kTokenOfAllChannels;
  if (may_interleave && random.uniform(0, 3) == 0) {
    verify.shape.layout = KvTensorLayout::kInterleaved;
  }
  verify.group = static_cast<int>(random.uniform(1, 8));
  verify.queries_per_column = pick(random, std::array{1, 2, 4});
  verify.pipeline = static_cast<Pipeline>(random.uniform(0, 1));
  std::int64_t blocks = 64;
  for (auto s = random.uniform(1, 2); s > 0; --s) {
    verify.tokens.push_back(random_length(random));
    blocks += blocks_of(verify.tokens.back());
  }
  const auto policies = kv_policies();
  const auto policy = random.uniform(0, static_cast<std::int64_t>(policies.size()));
  verify.policy = policy == static_cast<std::int64_t>(policies.size())
                      ? "shuffled"
                      : std::string(policies[static_cast<std::size_t>(policy)].name);
  verify.pool_blocks = (blocks + slack_of(verify.policy, verify.shape) + 15) / 16 * 16;
  verify.seed = random.next();
  allocate(random, verify);
  return verify;
}

std::vector<StackConfig> verify_stacks(const std::string& file) {
  std::vector<StackConfig> stacks;
  for (const auto& stack : kVerifyStacks) {
    const auto scope = kAllBankScopes[static_cast<std::size_t>(stack.scope)];
    stacks.push_back(load_stack_config({file,
                                        {"storage=sparse", fmt::format("address_map={}", stack.map),
                                         fmt::format("pim.all_bank_scope={}", scope),
                                         fmt::format("geometry.stack_ids={}", stack.stack_ids)},
                                        {}}));
  }
  return stacks;
}

}  // namespace lockstep
