// Attention passes through banks and buffer die, on cases whose answer is known by hand.
#include <gtest/gtest.h>

#include "hw/stack/direct_stack.h"
#include "tests/hw/functional/head_case.h"

namespace lockstep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A head whose numbers are given as functions of token and dim, and queries of 1 in dim 0.
template <typename Key, typename Value>
HeadCase head_of(const HeadShape& shape, Key&& key, Value&& value) {
  HeadCase head{shape, {}, {}, {}};
  Halves keys, values;
  for (int query = 0; query < shape.queries; ++query) {
    for (int dim = 0; dim < shape.head_dim(); ++dim) head.queries.push_back(half(dim == 0 ? 1 : 0));
  }
  for (std::int32_t token = 0; token < shape.tokens; ++token) {
    for (int dim = 0; dim < shape.head_dim(); ++dim) {
      keys.push_back(half(key(token, dim)));
      values.push_back(half(value(token, dim)));
    }
  }
  head.keys = bytes_of_halves(keys);
  head.values = bytes_of_halves(values);
  return head;
}

PassResult attend_alone(const HeadCase& head, std::vector<int> domains = {0}) {
  const StackConfig config = small_config();
  DirectStack stack(config);
  const PassResult result = attend(stack, HeadOnStack(config, head, std::move(domains)));
  stack.check_identities();
  return result;
}

TEST(Attention, OneTokenGivesItsValue) {
  const auto value = [](int, int dim) { return 0.25 * dim - 3; };
  const auto result = attend_alone(head_of(
      {}, [](int, int) { return 2.5; }, value));
  EXPECT_EQ(result.head_pass, 7);
  EXPECT_EQ(result.m, std::vector<float>{2.5F});
  EXPECT_EQ(result.l, std::vector<float>{1});
  ASSERT_EQ(result.acc.size(), 16U);
  for (int dim = 0; dim < 16; ++dim) {
    EXPECT_EQ(result.acc[static_cast<std::size_t>(dim)], value(0, dim)) << dim;
  }
}

TEST(Attention, EqualKeysGiveTheMeanOfTheValues) {
  HeadShape shape;
  shape.tokens = 37;  // three slots, the last one in five banks
  shape.parts = 2;
  const auto result = attend_alone(head_of(
      shape, [](int, int) { return -1.5; }, [](int t, int dim) { return t + 100 * dim; }));
  EXPECT_EQ(result.l[0], 37);
  for (int dim = 0; dim < 32; ++dim) {
    const double sum = 37 * 36 / 2 + 37.0 * 100 * dim;  // below 2^24, in steps of 1
    EXPECT_EQ(result.acc[static_cast<std::size_t>(dim)], sum) << dim;
  }
}

TEST(Attention, OneHugeKeyPicksItsValue) {
  HeadShape shape;
  shape.tokens = 300;  // two chunks of 256
  const auto result = attend_alone(head_of(
      shape, [](int t, int) { return t == 271 ? 60000.0 : 1; }, [](int t, int) { return t; }));
  EXPECT_EQ(result.m[0], 60000);
  EXPECT_EQ(result.l[0], 1);  // exp(1 - 60000) is 0 in fp16
  EXPECT_EQ(result.acc[5], 271);
}

TEST(Attention, ScaleActsOnScoresBeforeTheSoftmax) {
  HeadShape shape;
  shape.tokens = 2;
  shape.scale = 0.125;
  const auto result = attend_alone(head_of(
      shape, [](int t, int) { return 8.0 * t; }, [](int t, int) { return t; }));
  EXPECT_EQ(result.m[0], 1);
  const double p0 = fp16_to_float(half(std::exp(-1.0)));
  EXPECT_EQ(result.l[0], static_cast<float>(p0 + 1));
  EXPECT_EQ(result.acc[0], 1);
}

TEST(Attention, ScoresOfTheChannelsOfAHeadAreAdded) {
  HeadShape shape;
  shape.head_channels = 2;
  shape.tokens = 2;
  HeadCase head = head_of(
      shape, [](int t, int dim) { return t == 1 && dim >= 16 ? 3 : 1; },
      [](int t, int dim) { return dim + 64 * t; });
  for (auto& number : head.queries) number = half(1);
  // Scores 16 + 16 and 16 + 48: the second channel alone tells the tokens apart.
  const auto result = attend_alone(head, {0, 1});
  EXPECT_EQ(result.m[0], 64);
  EXPECT_EQ(result.l[0], 1);
  ASSERT_EQ(result.acc.size(), 32U);
  for (int dim = 0; dim < 32; ++dim) {
    EXPECT_EQ(result.acc[static_cast<std::size_t>(dim)], dim + 64) << dim;
  }
}

TEST(Attention, EachQueryOfAGroupHasItsOwnSoftmax) {
  HeadShape shape;
  shape.queries = 5;
  shape.queries_per_column = 2;  // groups of 2, 2 and 1
  shape.tokens = 5;
  HeadCase head = head_of(
      shape, [](int t, int dim) { return t == dim ? 100 : 0; }, [](int t, int) { return t + 1; });
  for (int query = 0; query < 5; ++query) {
    for (int dim = 0; dim < 16; ++dim) {
      head.queries[static_cast<std::size_t>(query * 16 + dim)] = half(dim == query ? 1 : 0);
    }
  }
  const auto result = attend_alone(head);
  for (int query = 0; query < 5; ++query) {
    EXPECT_EQ(result.l[static_cast<std::size_t>(query)], 1) << query;
    EXPECT_EQ(result.acc[static_cast<std::size_t>(query * 16)], query + 1) << query;
  }
}

TEST(Attention, ANanInAKeyMakesEverythingOfTheQueryNan) {
  HeadShape shape;
  shape.tokens = 20;
  const auto result = attend_alone(head_of(
      shape, [](int t, int) { return t == 17 ? kNan : 1; }, [](int, int) { return 1; }));
  EXPECT_TRUE(std::isnan(result.m[0]));
  EXPECT_TRUE(std::isnan(result.l[0]));
  for (const float number : result.acc) EXPECT_EQ(bits_of_float(number), kCanonicalNan);
}

TEST(Attention, AnInfiniteScoreHasNoProbability) {
  HeadShape shape;
  shape.tokens = 3;
  HeadCase head = head_of(
      shape, [](int t, int dim) { return dim != 0 ? 0
                                         : t == 1 ? kInfinity
                                                  : 1; },
      [](int, int) { return 1; });
  const Halves only_first = head.queries;
  for (auto& number : head.queries) number = half(1);
  const auto result = attend_alone(head);
  EXPECT_EQ(result.m[0], static_cast<float>(kInfinity));
  EXPECT_TRUE(std::isnan(result.l[0]));  // exp(infinity - infinity)
  EXPECT_TRUE(std::isnan(result.acc[0]));
}

TEST(Attention, AScoreOfMinusInfinityLeavesItsTokenOut) {
  HeadShape shape;
  shape.tokens = 3;
  HeadCase head = head_of(
      shape, [](int t, int dim) { return dim != 0 ? 0
                                         : t == 1 ? -kInfinity
                                                  : 1; },
      [](int t, int) { return 1 + t; });
  for (auto& number : head.queries) number = half(1);
  const auto result = attend_alone(head);
  EXPECT_EQ(result.m[0], 1);
  EXPECT_EQ(result.l[0], 2);
  EXPECT_EQ(result.acc[0], 1 + 3);
}

TEST(Attention, NanAndInfinityInAValueStayInTheirDim) {
  HeadShape shape;
  shape.tokens = 17;
  const auto result = attend_alone(head_of(
      shape, [](int, int) { return 0; },
      [](int t, int dim) {
        return t != 16 ? 1 : dim == 3 ? kNan : dim == 4 ? -kInfinity : 1;
      }));
  EXPECT_EQ(result.l[0], 17);
  EXPECT_EQ(bits_of_float(result.acc[3]), kCanonicalNan);
  EXPECT_EQ(result.acc[4], static_cast<float>(-kInfinity));
  EXPECT_EQ(result.acc[5], 17);
}

TEST(Attention, ReadsTheBytesOfTheAttendedTokensOnceAGroup) {
  HeadShape shape;
  shape.queries = 5;
  shape.queries_per_column = 2;
  shape.parts = 2;
  shape.tokens = 37;
  const StackConfig config = small_config();
  DirectStack stack(config);
  attend(stack, HeadOnStack(config,
                            head_of(
                                shape, [](int, int) { return 1; }, [](int, int) { return 1; }),
                            {2}));
  const auto& stats = stack.functional().stats(2);
  const std::int64_t k_and_v = 2, token_bytes = 64, groups = 3;
  EXPECT_EQ(stats.mac_bytes, k_and_v * 37 * token_bytes * groups);
  EXPECT_EQ(stats.mac_commands, k_and_v * 3 * 2 * groups);  // 3 slots of 2 columns
  EXPECT_EQ(stats.mac_banks, k_and_v * 37 * 2 * groups);
  EXPECT_EQ(stack.functional().total_stats().mac_bytes, stats.mac_bytes);
}

TEST(Attention, PassesOfOneKernelShareNothing) {
  const StackConfig config = small_config();
  const HeadShape first{1, 1, 1, 1, 2, KvElement::kFp16, 1, 1, 1, 0};
  const HeadShape second{1, 1, 1, 1, 2, KvElement::kFp16, 1, 1, 2, 8};
  const auto key = [](int, int) { return 1; };
  const HeadOnStack a(config, head_of(first, key, [](int t, int) { return t + 1; }), {0});
  const HeadOnStack b(config, head_of(second, key, [](int t, int) { return t + 10; }), {0});
  PimKernel runs = a.kernel();
  for (PimRun run : b.kernel()) {
    run.pass = 1;
    runs.push_back(run);
  }
  DirectStack stack(config);
  a.poke(stack);
  b.poke(stack);
  const auto data = std::make_shared<const KernelData>(KernelData{a.pass(0), b.pass(0)});
  const std::vector<DomainKernel> kernels = {{0, std::make_shared<const PimKernel>(runs), data}};
  stack.execute(kernels, {nullptr, 0});
  const auto results = stack.take_results();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].acc[0], 1 + 2);
  EXPECT_EQ(results[1].acc[0], 10 + 11);
  EXPECT_TRUE(stack.take_results().empty());
}

}  // namespace
}  // namespace lockstep
