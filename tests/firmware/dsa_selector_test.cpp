// Block scores against their formulas in double precision, and the rules of what is forced, what
// competes and what is chosen.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "firmware/dsa/selector.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr HeadShape kShape{2, 4, 8};  // two KV heads, groups of two, eight dimensions

float symmetric(std::mt19937_64& random) {
  return static_cast<float>(static_cast<std::int64_t>(random() >> 40U) - (1 << 23)) / (1 << 23);
}

struct Context {
  explicit Context(std::int64_t token_count) : tokens(token_count) {
    std::mt19937_64 random(3);
    for (std::int64_t t = 0; t < tokens; ++t) {
      keys.emplace_back();
      for (int i = 0; i < kShape.kv_heads * kShape.head_dim; ++i) {
        keys.back().push_back(symmetric(random));
      }
    }
    for (int i = 0; i < kShape.query_heads * kShape.head_dim; ++i) {
      query.push_back(4 * symmetric(random));
    }
  }

  double key(std::int64_t token, int head, int d) const {
    return static_cast<double>(
        keys[static_cast<std::size_t>(token)][static_cast<std::size_t>(head * 8 + d)]);
  }
  double q(int query_head, int d) const {
    return static_cast<double>(query[static_cast<std::size_t>(query_head * 8 + d)]);
  }

  std::int64_t tokens;
  std::vector<std::vector<float>> keys;
  std::vector<float> query;
};

HeadScores scores_of(const char* scorer, const Context& context, int block_tokens,
                     std::int64_t tokens) {
  const auto made = make_block_scorer(scorer, kShape, block_tokens, ScorePrecision::kFp32);
  for (const auto& key : context.keys) made->append(key);
  return made->score(context.query, tokens);
}

double quest_bound(const Context& c, int head, std::int64_t begin, std::int64_t end) {
  double sum = 0;
  for (int d = 0; d < kShape.head_dim; ++d) {
    double low = INFINITY;
    double high = -INFINITY;
    for (std::int64_t t = begin; t < end; ++t) {
      low = std::min(low, c.key(t, head, d));
      high = std::max(high, c.key(t, head, d));
    }
    const double mean = (c.q(2 * head, d) + c.q(2 * head + 1, d)) / 2;
    sum += std::max(mean * low, mean * high);
  }
  return sum;
}

TEST(QuestScorer, IsTheUpperBoundFromMinimaAndMaxima) {
  const Context c(45);
  const auto scores = scores_of("quest", c, 4, 45);
  for (int head = 0; head < 2; ++head) {
    const auto& row = scores[static_cast<std::size_t>(head)];
    ASSERT_EQ(row.size(), 11U) << "the open block has no score";
    for (std::int64_t b = 0; b < 11; ++b) {
      const double score = static_cast<double>(row[static_cast<std::size_t>(b)]);
      EXPECT_NEAR(score, quest_bound(c, head, 4 * b, 4 * b + 4), 1e-5);
      for (std::int64_t t = 4 * b; t < 4 * b + 4; ++t) {
        double dot = 0;
        for (int d = 0; d < 8; ++d) {
          dot += (c.q(2 * head, d) + c.q(2 * head + 1, d)) / 2 * c.key(t, head, d);
        }
        EXPECT_GE(score + 1e-5, dot) << "no token of the block may beat its bound";
      }
    }
  }
}

// Softmax over all kernels within `tokens`, summed over the group; the best kernel of the block.
double infllm2_score(const Context& c, int head, std::int64_t block, std::int64_t tokens) {
  std::vector<double> total;
  for (int g = 0; g < 2; ++g) {
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t begin = 0; begin + 32 <= tokens; begin += 16) {
      double dot = 0;
      for (std::int64_t t = begin; t < begin + 32; ++t) {
        for (int d = 0; d < 8; ++d) dot += c.q(2 * head + g, d) * c.key(t, head, d) / 32;
      }
      weights.push_back(std::exp(dot / std::sqrt(8.0)));
      sum += weights.back();
    }
    total.resize(weights.size(), 0.0);
    for (std::size_t j = 0; j < weights.size(); ++j) total[j] += weights[j] / sum;
  }
  double best = 0;
  for (std::int64_t j = 0; j < static_cast<std::int64_t>(total.size()); ++j) {
    const bool overlaps = 16 * j < 64 * (block + 1) && 16 * j + 32 > 64 * block;
    if (overlaps) best = std::max(best, total[static_cast<std::size_t>(j)]);
  }
  return best;
}

TEST(InfLlm2Scorer, IsTheBestSoftmaxOfTheKernelsThatOverlapTheBlock) {
  const Context c(400);
  for (const std::int64_t tokens : {400, 391, 320}) {
    const auto scores = scores_of("infllm2", c, 64, tokens);
    for (int head = 0; head < 2; ++head) {
      const auto& row = scores[static_cast<std::size_t>(head)];
      ASSERT_EQ(static_cast<std::int64_t>(row.size()), tokens / 64);
      for (std::int64_t b = 0; b < tokens / 64; ++b) {
        EXPECT_NEAR(static_cast<double>(row[static_cast<std::size_t>(b)]),
                    infllm2_score(c, head, b, tokens), 1e-6)
            << tokens << " tokens, head " << head << ", block " << b;
      }
    }
  }
}

TEST(BlockScorer, AppendingLaterTokensChangesNoEarlierScore) {
  for (const char* name : {"quest", "infllm2"}) {
    const Context c(300);
    const auto scorer = make_block_scorer(name, kShape, 64, ScorePrecision::kFp32);
    for (std::int64_t t = 0; t < 200; ++t) scorer->append(c.keys[static_cast<std::size_t>(t)]);
    const auto before = scorer->score(c.query, 200);
    for (std::int64_t t = 200; t < 300; ++t) scorer->append(c.keys[static_cast<std::size_t>(t)]);
    EXPECT_EQ(scorer->score(c.query, 200), before) << name;
  }
}

TEST(BlockScorer, StoresHalfPrecisionSoThatTiesArise) {
  const auto scorer = make_block_scorer("quest", {1, 1, 1}, 1, ScorePrecision::kFp16);
  for (const float key : {2048.0F, 2049.0F, 2050.0F}) scorer->append(std::vector<float>{key});
  const auto scores = scorer->score(std::vector<float>{1}, 3);
  EXPECT_EQ(scores[0], (std::vector<float>{2048, 2048, 2050})) << "halves are 2 apart here";
  EXPECT_EQ(top_blocks(scores[0], 2), (BlockList{0, 2}));
}

TEST(SelectionWindow, QuestExcludesTheCurrentPageFromTheTopK) {
  const auto& quest = kSelectorDefaults[0];
  const auto window = selection_window(quest, 2, 32768 + 1);
  EXPECT_FALSE(window.dense);
  EXPECT_EQ(window.blocks, 2049);
  EXPECT_EQ(window.begin, 0) << "the first page wins by its score, or not at all";
  EXPECT_EQ(window.end, 2048);
  EXPECT_EQ(window.top_k, 127) << "2048 / 16 pages with the current one";
  EXPECT_EQ(selection_window(quest, 2, 32768).end, 2047) << "a full page is still the current one";
}

TEST(SelectionWindow, FirstLayersAndShortContextsAreDense) {
  const auto& quest = kSelectorDefaults[0];
  EXPECT_TRUE(selection_window(quest, 0, 1 << 20).dense);
  EXPECT_TRUE(selection_window(quest, 1, 1 << 20).dense);
  EXPECT_TRUE(selection_window(quest, 2, 2048).dense) << "128 pages fit the budget of 128";
  EXPECT_FALSE(selection_window(quest, 2, 2049).dense);
  const auto& infllm2 = kSelectorDefaults[1];
  EXPECT_TRUE(selection_window(infllm2, 0, 8191).dense);
  EXPECT_FALSE(selection_window(infllm2, 0, 8192).dense);
}

TEST(SelectionWindow, InfLlm2Forces34Of96Blocks) {
  const auto window = selection_window(kSelectorDefaults[1], 0, 16384);
  EXPECT_EQ(window.begin, 1);
  EXPECT_EQ(window.end, 256 - 33);
  EXPECT_EQ(window.top_k, 62);
}

SelectorConfig tiny(Granularity granularity) {
  return {"trace", 2, 8, 1, 1, 0, 0, granularity};  // top-2 of what is neither first nor last
}

TEST(SelectBlocks, ChoosesPerKvHeadOrPerLayer) {
  const HeadScores scores = {{9, 5, 1, 3, 3}, {9, 0, 4, 1, 8}};
  const auto by_head = select_blocks(tiny(Granularity::kKvHead), 0, 11, scores);
  EXPECT_EQ(by_head.forced, (BlockList{0, 5}));
  EXPECT_EQ(by_head.selected[0], (BlockList{1, 3})) << "3 before 4 at equal scores";
  EXPECT_EQ(by_head.selected[1], (BlockList{2, 4}));
  const auto by_layer = select_blocks(tiny(Granularity::kLayer), 0, 11, scores);
  EXPECT_EQ(by_layer.selected[0], (BlockList{1, 4})) << "sums 5, 5, 4, 11; 1 before 2 at 5";
  EXPECT_EQ(by_layer.selected[1], by_layer.selected[0]);
}

TEST(SelectBlocks, DenseStepForcesEveryBlock) {
  const auto dense = select_blocks(tiny(Granularity::kKvHead), 0, 7, {{}, {}});
  EXPECT_TRUE(dense.dense);
  EXPECT_EQ(dense.forced, (BlockList{0, 1, 2, 3}));
  EXPECT_EQ(dense.selected, (std::vector<BlockList>{{}, {}}));
}

template <typename Action>
std::string refusal_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Selector, RefusesWhatCannotBe) {
  SelectorConfig config = tiny(Granularity::kKvHead);
  EXPECT_EQ(refusal_of([&] { check_selector(config); }), "accepted");
  config.local_blocks = 0;
  EXPECT_EQ(refusal_of([&] { check_selector(config); }),
            "selector: `local_blocks` must be at least 1, got 0");
  config.local_blocks = 3;
  EXPECT_EQ(refusal_of([&] { check_selector(config); }),
            "selector: `budget_tokens` must hold more than the 4 forced blocks, got 8 tokens in "
            "blocks of 2");
  const auto make = [](const char* name, const HeadShape& shape, int block_tokens) {
    return refusal_of([&] { make_block_scorer(name, shape, block_tokens, ScorePrecision::kFp16); });
  };
  EXPECT_EQ(make("nsa", kShape, 16), "unknown block scorer `nsa`; known: quest, infllm2");
  EXPECT_EQ(make("infllm2", kShape, 24),
            "block scorer `infllm2`: block_tokens must be a multiple of 16, got 24");
  EXPECT_EQ(make("quest", {3, 4, 8}, 16),
            "block scorer: query heads must be a multiple of KV heads, and no count 0; got 4 query "
            "heads, 3 KV heads, head dimension 8");
}

}  // namespace
}  // namespace lockstep
