// The online-softmax merge and the four repair modes against one softmax in double precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "firmware/dsa/partial.h"
#include "firmware/dsa/sparse_attention.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr double kTolerance = 1e-6;  // values lie in [-1, 1]

float symmetric(std::mt19937_64& random) {
  return static_cast<float>(static_cast<std::int64_t>(random() >> 40U) - (1 << 23)) / (1 << 23);
}

std::vector<float> vector_of(std::mt19937_64& random, std::size_t size, float range) {
  std::vector<float> values(size);
  for (float& value : values) value = range * symmetric(random);
  return values;
}

BlockList random_blocks(std::mt19937_64& random, BlockIndex end, unsigned percent) {
  BlockList list;
  for (BlockIndex b = 0; b < end; ++b) {
    if (random() % 100 < percent) list.push_back(b);
  }
  return list;
}

// A context of random vectors whose last block, forced, is open.
struct Case {
  Case(std::uint64_t seed, std::int64_t token_count) : random(seed), tokens(token_count) {
    const auto size = static_cast<std::size_t>(tokens) * kDim;
    query = vector_of(random, kDim, 6);
    keys = vector_of(random, size, 1);
    values = vector_of(random, size, 1);
    lists.forced = {open_block()};
  }

  static constexpr std::size_t kDim = 8;
  static constexpr std::int64_t kBlockTokens = 4;

  BlockIndex open_block() const { return static_cast<BlockIndex>((tokens - 1) / kBlockTokens); }
  HeadView view() const {
    return {query.data(), keys.data(), values.data(), tokens, kBlockTokens, kDim};
  }

  std::mt19937_64 random;
  std::int64_t tokens;
  std::vector<float> query, keys, values;
  AttentionLists lists;
};

// softmax(q K^T / sqrt(d)) V over the tokens of `blocks`, in double.
std::vector<double> exact(const Case& c, const BlockList& blocks) {
  std::vector<double> output(Case::kDim, 0.0);
  double sum = 0;
  for (const BlockIndex block : blocks) {
    const std::int64_t end = std::min<std::int64_t>((block + 1) * Case::kBlockTokens, c.tokens);
    for (std::int64_t token = block * Case::kBlockTokens; token < end; ++token) {
      const auto offset = static_cast<std::size_t>(token) * Case::kDim;
      double dot = 0;
      for (std::size_t d = 0; d < Case::kDim; ++d) {
        dot += static_cast<double>(c.query[d]) * static_cast<double>(c.keys[offset + d]);
      }
      const double weight = std::exp(dot / std::sqrt(static_cast<double>(Case::kDim)));
      sum += weight;
      for (std::size_t d = 0; d < Case::kDim; ++d) {
        output[d] += weight * static_cast<double>(c.values[offset + d]);
      }
    }
  }
  for (double& value : output) value /= sum;
  return output;
}

template <typename A, typename B>
double distance(const A& a, const B& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return largest;
}

Partial random_partial(std::mt19937_64& random, std::size_t tokens, std::vector<float>& all_scores,
                       std::vector<std::vector<float>>& all_values) {
  std::vector<float> scores = vector_of(random, tokens, 8);
  std::vector<const float*> values;
  for (std::size_t i = 0; i < tokens; ++i) {
    all_values.push_back(vector_of(random, Case::kDim, 1));
    values.push_back(all_values.back().data());
  }
  all_scores.insert(all_scores.end(), scores.begin(), scores.end());
  return attend(scores, values, Case::kDim);
}

TEST(Partial, MergeEqualsOnePassInAnyOrder) {
  std::mt19937_64 random(11);
  for (int step = 0; step < 200; ++step) {
    std::vector<float> scores;
    std::vector<std::vector<float>> values;
    std::vector<Partial> parts;
    for (int part = 0; part < 3; ++part) {
      parts.push_back(random_partial(random, random() % 40 + (part == 0 ? 1 : 0), scores, values));
    }
    std::vector<const float*> rows;
    for (const auto& value : values) rows.push_back(value.data());
    const auto one_pass = output_of(attend(scores, rows, Case::kDim));
    std::vector<int> order = {0, 1, 2};
    do {
      const auto at = [&](int i) { return parts[static_cast<std::size_t>(order[i])]; };
      const auto left = output_of(merge(merge(at(0), at(1)), at(2)));
      const auto right = output_of(merge(at(0), merge(at(1), at(2))));
      ASSERT_LT(distance(left, one_pass), kTolerance) << "seed 11, step " << step;
      ASSERT_LT(distance(right, one_pass), kTolerance) << "seed 11, step " << step;
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Partial, EmptyPartialChangesNothing) {
  const float value = 3;
  const Partial some = attend({1, 2}, {&value, &value}, 1);
  for (const Partial& merged : {merge(some, empty_partial(1)), merge(empty_partial(1), some)}) {
    EXPECT_EQ(merged.m, some.m);
    EXPECT_EQ(merged.l, some.l);
    EXPECT_EQ(merged.acc, some.acc);
  }
  EXPECT_TRUE(merge(empty_partial(1), empty_partial(1)).empty());
  EXPECT_THROW(output_of(empty_partial(1)), InternalError);
}

TEST(Partial, SurvivesScoresFarApart) {
  const float one = 1;
  const float two = 2;
  const Partial merged = merge(attend({-500}, {&one}, 1), attend({500}, {&two}, 1));
  EXPECT_EQ(output_of(merged), std::vector<float>{2});
}

TEST(SparseAttention, ExactModesEqualTheSerialResultAndUnionCoversBothLists) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Case c(seed, static_cast<std::int64_t>(5 + seed));  // every fill of the last block
    c.lists.predicted = random_blocks(c.random, c.open_block(), static_cast<unsigned>(seed % 101));
    c.lists.selected = random_blocks(c.random, c.open_block(), 40);
    const auto over_a = exact(c, all_blocks(c.lists.selected, c.lists.forced));
    const auto over_union =
        exact(c, all_blocks(all_blocks(c.lists.predicted, c.lists.selected), c.lists.forced));
    for (const auto& row : kRepairModes) {
      const auto& expected = row.mode == RepairMode::kUnion ? over_union : over_a;
      const auto result = sparse_attention(row.mode, c.view(), c.lists);
      ASSERT_LT(distance(result.output, expected), kTolerance) << row.name << ", seed " << seed;
    }
  }
}

struct Corner {
  const char* name;
  BlockList predicted, selected;
};

TEST(SparseAttention, HoldsInTheCornersOfPredictedAndSelected) {
  const Corner corners[] = {
      {"empty P", {}, {1, 3}},   {"empty M", {1, 3, 5}, {1, 3}},
      {"P = A", {1, 3}, {1, 3}}, {"disjoint P and A", {0, 2}, {1, 3}},
      {"empty A", {0, 2}, {}},   {"both empty", {}, {}},
  };
  Case c(5, 27);
  for (const auto& corner : corners) {
    c.lists.predicted = corner.predicted;
    c.lists.selected = corner.selected;
    const auto over_a = exact(c, all_blocks(corner.selected, c.lists.forced));
    const auto over_union =
        exact(c, all_blocks(all_blocks(corner.predicted, corner.selected), c.lists.forced));
    for (const auto& row : kRepairModes) {
      const auto& expected = row.mode == RepairMode::kUnion ? over_union : over_a;
      const auto result = sparse_attention(row.mode, c.view(), c.lists);
      EXPECT_LT(distance(result.output, expected), kTolerance) << row.name << ", " << corner.name;
    }
  }
}

TEST(SparseAttention, ReadsEachBlockOnceAndCountsIt) {
  Case c(7, 40);
  c.lists.predicted = {0, 1, 2, 3};
  c.lists.selected = {2, 3, 4};
  const auto all = sparse_attention(RepairMode::kUnion, c.view(), c.lists);
  EXPECT_EQ(all.speculative_key_blocks, 5) << "P and the open block";
  EXPECT_EQ(all.speculative_value_blocks, 5);
  EXPECT_EQ(all.repair_key_blocks, 1) << "block 4";
  EXPECT_EQ(all.merges, 1);
  const auto partials = sparse_attention(RepairMode::kExactPartials, c.view(), c.lists);
  EXPECT_EQ(partials.merges, 3) << "blocks 2 and 3, then the repair pass";
  const auto mask = sparse_attention(RepairMode::kExactLatemask, c.view(), c.lists);
  EXPECT_EQ(mask.speculative_value_blocks, 0) << "V is read for A only, after A is known";
  EXPECT_EQ(mask.repair_key_blocks, 1);
  EXPECT_EQ(mask.repair_value_blocks, 4);
}

// K and V blocks read before A is known, then after.
std::array<std::int64_t, 4> blocks_read(const SparseOutput& result) {
  return {result.speculative_key_blocks, result.speculative_value_blocks, result.repair_key_blocks,
          result.repair_value_blocks};
}

TEST(SparseAttention, RecomputeIsTheSerialResultToTheLastBitWhateverWasPredicted) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Case c(seed, static_cast<std::int64_t>(5 + seed));
    c.lists.selected = random_blocks(c.random, c.open_block(), 40);
    const auto serial = serial_attention(c.view(), all_blocks(c.lists.selected, c.lists.forced));
    const BlockList none, all = random_blocks(c.random, c.open_block(), 100),
                          some = random_blocks(c.random, c.open_block(), 50);
    for (const auto& predicted : {none, some, all, c.lists.selected}) {
      c.lists.predicted = predicted;
      const auto result = sparse_attention(RepairMode::kRecompute, c.view(), c.lists);
      ASSERT_EQ(result.output, serial) << "seed " << seed;
      ASSERT_EQ(result.merges, 0) << "nothing of the guess is kept";
      ASSERT_EQ(result.wasted_mass, 0);
    }
  }
}

TEST(SparseAttention, RecomputeReadsAllOfAAgainOrNothing) {
  Case c(7, 40);
  const auto read = [&c](BlockList predicted, BlockList selected) {
    c.lists.predicted = std::move(predicted);
    c.lists.selected = std::move(selected);
    return blocks_read(sparse_attention(RepairMode::kRecompute, c.view(), c.lists));
  };
  using Reads = std::array<std::int64_t, 4>;
  // The open block goes with both passes.
  EXPECT_EQ(read({0, 1, 2, 3}, {2, 3, 4}), (Reads{4 + 1, 4 + 1, 3 + 1, 3 + 1})) << "4 was missed";
  EXPECT_EQ(read({0, 1}, {2, 3, 4, 5}), (Reads{2 + 1, 2 + 1, 4 + 1, 4 + 1})) << "all were missed";
  EXPECT_EQ(read({}, {2, 3}), (Reads{1, 1, 2 + 1, 2 + 1})) << "nothing was predicted";
  EXPECT_EQ(read({2, 3, 4}, {2, 3, 4}), (Reads{3 + 1, 3 + 1, 0, 0})) << "nothing was missed";
  EXPECT_EQ(read({2, 3, 4}, {2, 3}), (Reads{3 + 1, 3 + 1, 2 + 1, 2 + 1}))
      << "one pass over P cannot give up what was wasted";
}

TEST(SparseAttention, DeviationOfUnionIsTheMassOfTheWastedBlocks) {
  // O_U - O_A = eps (O_N - O_A) with eps the softmax mass of N = P \ A.
  Case c(9, 64);
  c.lists.predicted = {0, 1, 2, 5};
  c.lists.selected = {2, 7, 9};
  const auto result = sparse_attention(RepairMode::kUnion, c.view(), c.lists);
  const auto over_a = exact(c, all_blocks(c.lists.selected, c.lists.forced));
  const auto over_n = exact(c, {0, 1, 5});
  EXPECT_GT(result.wasted_mass, 0.01);
  for (std::size_t d = 0; d < Case::kDim; ++d) {
    const double expected = over_a[d] + result.wasted_mass * (over_n[d] - over_a[d]);
    EXPECT_NEAR(static_cast<double>(result.output[d]), expected, kTolerance);
  }
}

TEST(SparseAttention, NeverReadsBehindTheLastToken) {
  Case c(13, 10);  // the open block holds two of four tokens
  c.lists.selected = {0};
  const auto expected = sparse_attention(RepairMode::kUnion, c.view(), c.lists).output;
  c.keys.resize(12 * Case::kDim, NAN);
  c.values.resize(12 * Case::kDim, NAN);
  EXPECT_EQ(sparse_attention(RepairMode::kUnion, c.view(), c.lists).output, expected);
}

std::string breach_of(const AttentionLists& lists) {
  Case c(1, 12);
  c.lists = lists;
  try {
    sparse_attention(RepairMode::kUnion, c.view(), c.lists);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SparseAttention, RefusesListsThatWouldCountABlockTwice) {
  EXPECT_EQ(breach_of({{2}, {0, 2}, {}}), "a forced block would be attended twice");
  EXPECT_EQ(breach_of({{2}, {}, {0, 2}}), "a forced block would be attended twice");
  EXPECT_EQ(breach_of({{2}, {1, 1}, {}}), "a block list is not sorted, or names a block twice");
  EXPECT_EQ(breach_of({{2}, {1, 0}, {}}), "a block list is not sorted, or names a block twice");
  EXPECT_EQ(breach_of({{2}, {}, {3}}), "a block list leaves the context");
}

}  // namespace
}  // namespace lockstep
