// Attention whose answer is known by hand, placed by the firmware and computed in the banks.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/sim/attention/heads.h"

namespace lockstep {
namespace {

class SpecialHeads : public testing::TestWithParam<KvTensorLayout> {
 protected:
  static const StackConfig& stack() {
    static const StackConfig config =
        verify_stacks(LOCKSTEP_SOURCE_DIR "/configs/hbm3-5.2gbps.yaml")[0];
    return config;
  }
  HeadsCase with_tokens(std::int64_t tokens) const {
    HeadsCase c;
    c.shape.layout = GetParam();
    c.group = 2;
    c.tokens = tokens;
    return c;
  }
};

TEST_P(SpecialHeads, OneTokenGivesItsValue) {
  const auto value = [](std::int64_t, int head, int dim) { return head + dim / 128.0; };
  const auto heads = attend(
      stack(), with_tokens(1), [](std::int64_t, int, int) { return 1.25; }, value);
  for (std::size_t i = 0; i < heads.output.size(); ++i) {
    EXPECT_EQ(heads.output[i], value(0, static_cast<int>(i / 256), static_cast<int>(i % 128)));
  }
}

// Of 0 … n - 1: sums below 2^24, so that fp32 is exact, and one division in double.
TEST_P(SpecialHeads, EqualKeysGiveTheMeanOfTheValues) {
  constexpr std::int64_t kTokens =
      300;  // ends inside a block, fills a row index and begins another
  const auto heads = attend(
      stack(), with_tokens(kTokens), [](std::int64_t, int, int) { return -0.5; },
      [](std::int64_t t, int, int dim) { return static_cast<double>(t) + dim; });
  for (std::size_t i = 0; i < heads.output.size(); ++i)
    EXPECT_DOUBLE_EQ(heads.output[i], (kTokens - 1) / 2.0 + static_cast<double>(i % 128));
}

TEST_P(SpecialHeads, AHugeKeyPicksItsValue) {
  const auto heads = attend(
      stack(), with_tokens(300),
      [](std::int64_t t, int head, int) { return t == 17 * head + 3 ? 30000.0 : 0; },
      [](std::int64_t t, int, int) { return static_cast<double>(t); });
  for (std::size_t i = 0; i < heads.output.size(); ++i)
    EXPECT_EQ(heads.output[i], 17.0 * static_cast<double>(i / 256) + 3);
}

TEST_P(SpecialHeads, ANanInAKeyReachesAllOfItsHeadAndNothingElse) {
  const auto heads = attend(
      stack(), with_tokens(20),
      [](std::int64_t t, int head, int dim) {
        return t == 7 && head == 5 && dim == 0 ? std::numeric_limits<double>::quiet_NaN() : 1;
      },
      [](std::int64_t, int, int) { return 2.0; });
  for (std::size_t i = 0; i < heads.output.size(); ++i)
    EXPECT_EQ(std::isnan(heads.output[i]), i / 256 == 5) << i;
}

TEST_P(SpecialHeads, NanAndInfinityOfAValueStayInTheirDim) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto heads = attend(
      stack(), with_tokens(20), [](std::int64_t, int, int) { return 1.0; },
      [](std::int64_t t, int head, int dim) {
        if (t != 7 || head != 2) return 0.5;
        return dim == 40 ? kInfinity : dim == 41 ? std::numeric_limits<double>::quiet_NaN() : 0.5;
      });
  for (std::size_t i = 0; i < heads.output.size(); ++i) {
    const bool there = i / 256 == 2;
    if (there && i % 128 == 40) {
      EXPECT_EQ(heads.output[i], kInfinity);
    } else if (there && i % 128 == 41) {
      EXPECT_TRUE(std::isnan(heads.output[i]));
    } else {
      EXPECT_EQ(heads.output[i], 0.5) << i;
    }
  }
}

// Bytes of K and V of the attended tokens, once for each group of queries that a column serves.
TEST_P(SpecialHeads, ReadsTheBytesOfTheAttendedTokensAndNoOthers) {
  for (const int queries_per_column : {1, 2, 4}) {
    auto c = with_tokens(77);
    c.group = 5;
    c.queries_per_column = queries_per_column;
    const auto one = [](std::int64_t, int, int) { return 1.0; };
    const auto stats = attend(stack(), c, one, one).stats;
    const int repeats = (5 + queries_per_column - 1) / queries_per_column;
    EXPECT_EQ(stats.mac_bytes, 2LL * 77 * 8 * 128 * 2 * repeats);
  }
}

// Blocks that are full: every bank of every command has a token, or every second one.
TEST_P(SpecialHeads, ParticipateByLayout) {
  const auto one = [](std::int64_t, int, int) { return 1.0; };
  const auto stats = attend(stack(), with_tokens(256), one, one).stats;
  const double share =
      static_cast<double>(stats.mac_banks) / (16.0 * static_cast<double>(stats.mac_commands));
  EXPECT_EQ(share, GetParam() == KvTensorLayout::kSplit ? 1.0 : 0.5);
}

INSTANTIATE_TEST_SUITE_P(Layouts, SpecialHeads,
                         testing::Values(KvTensorLayout::kSplit, KvTensorLayout::kInterleaved),
                         [](const auto& tested) {
                           return std::string(
                               kKvTensorLayouts[static_cast<std::size_t>(tested.param)]);
                         });

}  // namespace
}  // namespace lockstep
