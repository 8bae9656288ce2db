#include "sim/sparse/verify_case_sparse.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "firmware/dsa/random_stream.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

enum Purpose { kShape, kPlaces, kLists, kData };

template <typename T, std::size_t N>
T pick(RandomStream& random, const std::array<T, N>& values) {
  return values[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(N)))];
}

void draw_shape(RandomStream random, SparseVerifyCase& verify) {
  verify.shape.kv_heads = pick(random, std::array{4, 8, 8});
  verify.shape.head_dim = pick(random, std::array{64, 128});
  verify.shape.block_tokens = pick(random, std::array{8, 16, 16, 32, 64});
  verify.group = 1 + static_cast<int>(random.below(4));
  verify.queries_per_column = pick(random, std::array{1, 2, 4});
  verify.pipeline = static_cast<Pipeline>(random.below(2));
  // K and V of a token share channels only where K alone fills a line of each.
  constexpr int kDimsOfAllChannels = 1024;
  if (verify.shape.kv_heads * verify.shape.head_dim == kDimsOfAllChannels && random.happens(0.5))
    verify.shape.layout = KvTensorLayout::kInterleaved;
  const std::int64_t blocks = 2 + random.below(39);
  verify.tokens =
      (blocks - 1) * verify.shape.block_tokens + 1 + random.below(verify.shape.block_tokens);
  verify.places.resize(static_cast<std::size_t>(blocks));
}

void draw_places(RandomStream random, SparseVerifyCase& verify) {
  std::vector<BlockId> pool(verify.places.size() * 3);
  std::iota(pool.begin(), pool.end(), 0);
  for (std::size_t i = 0; i < verify.places.size(); ++i) {
    const auto left = static_cast<std::int64_t>(pool.size() - i);
    std::swap(pool[i], pool[i + static_cast<std::size_t>(random.below(left))]);
    verify.places[i] = pool[i];
  }
}

BlockList some(RandomStream& random, const BlockList& of, double share) {
  BlockList chosen;
  std::copy_if(of.begin(), of.end(), std::back_inserter(chosen),
               [&](BlockIndex) { return random.happens(share); });
  return chosen;
}

AttentionLists draw_lists(RandomStream& random, BlockIndex blocks) {
  AttentionLists lists;
  const auto init = static_cast<BlockIndex>(random.below(2));
  BlockList competing;
  for (BlockIndex block = 0; block < blocks; ++block) {
    (block < init || block + 1 == blocks ? lists.forced : competing).push_back(block);
  }
  lists.selected = some(random, competing, random.uniform());
  switch (random.below(5)) {
    case 0:
      lists.predicted = lists.selected;
      break;
    case 1:
      break;  // empty
    case 2:
      lists.predicted = blocks_without(competing, lists.selected);
      break;
    default:
      lists.predicted = some(random, competing, random.uniform());
  }
  return lists;
}

// Multiples of 1/512 in [-2, 2).
std::vector<float> draw_numbers(RandomStream& random, std::int64_t count) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (auto& number : numbers) number = static_cast<float>(random.below(2048) - 1024) / 512;
  return numbers;
}

}  // namespace

std::string SparseVerifyCase::text() const {
  return fmt::format(
      "case {}: {} tokens in blocks of {}, {}, {} heads x {} dims, group {}, {} queries "
      "a column, {}",
      index, tokens, shape.block_tokens, kKvTensorLayouts[static_cast<std::size_t>(shape.layout)],
      shape.kv_heads, shape.head_dim, group, queries_per_column,
      kPipelines[static_cast<std::size_t>(pipeline)]);
}

HeadView SparseVerifyCase::head(int head, int query) const {
  const std::int64_t dims = shape.head_dim;
  return {queries.data() + (std::int64_t{head} * group + query) * dims,
          keys.data() + head * tokens * dims,
          values.data() + head * tokens * dims,
          tokens,
          shape.block_tokens,
          static_cast<std::size_t>(dims)};
}

SparseVerifyCase make_sparse_case(std::uint64_t seed, std::int64_t index) {
  const auto stream = [&](Purpose purpose) {
    return RandomStream(seed, static_cast<int>(index), 0, purpose);
  };
  SparseVerifyCase verify;
  verify.index = index;
  draw_shape(stream(kShape), verify);
  draw_places(stream(kPlaces), verify);
  RandomStream lists = stream(kLists);
  for (int head = 0; head < verify.shape.kv_heads; ++head)
    verify.lists.push_back(draw_lists(lists, static_cast<BlockIndex>(verify.places.size())));
  RandomStream data = stream(kData);
  const std::int64_t width = verify.shape.kv_heads * verify.shape.head_dim;
  verify.keys = draw_numbers(data, verify.tokens * width);
  verify.values = draw_numbers(data, verify.tokens * width);
  verify.queries = draw_numbers(data, verify.group * width);
  return verify;
}

StackConfig sparse_verify_stack(const StackConfig& base) {
  StackConfig config = base;
  auto map = AddressMap::parse("host-cacheline", config.geometry);
  ensure(std::holds_alternative<AddressMap>(map), "a map of the verification is known");
  config.map = std::get<AddressMap>(map);
  config.storage = Storage::kSparse;
  return config;
}

}  // namespace lockstep
