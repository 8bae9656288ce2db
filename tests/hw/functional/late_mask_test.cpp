// Passes of several kernels: scores that stay on the die until it is known which tokens count.
#include <gtest/gtest.h>

#include "hw/stack/direct_stack.h"
#include "tests/hw/functional/random_head.h"

namespace lockstep {
namespace {

using Mask = std::vector<bool>;  // by token: attended

// A head that is scored by one kernel and attended to by the next.
class LateHead {
 public:
  LateHead(HeadCase head, Mask mask)
      : whole_(small_config(), head, domains(head)),
        channels_(head.shape.head_channels),
        mask_(std::move(mask)) {}

  std::vector<DomainKernel> scores() const {
    const auto runs = whole_.kernel();
    return kernels({runs.begin(), softmax_of(runs)}, [this](int channel) {
      PassData data = whole_.pass(channel);
      for (auto& chunk : data.chunks) chunk.of = ChunkOf::kKeys;
      data.keeps_scores = true;
      return data;
    });
  }

  std::vector<DomainKernel> rest() const {
    const auto runs = whole_.kernel();
    return kernels({softmax_of(runs), runs.end()}, [this](int channel) {
      PassData data = whole_.pass(channel);
      for (auto& chunk : data.chunks) {
        chunk.of = ChunkOf::kValues;
        for (auto& token : chunk.token_of) {
          if (token != kNoToken && !mask_[static_cast<std::size_t>(token)]) token = kNoToken;
        }
      }
      data.scored_before = data.tokens;
      return data;
    });
  }

  const HeadOnStack& whole() const { return whole_; }

 private:
  static std::vector<int> domains(const HeadCase& head) {
    std::vector<int> all;
    for (int i = 0; i < head.shape.head_channels; ++i) all.push_back(i);
    return all;
  }
  static PimKernel::const_iterator softmax_of(const PimKernel& runs) {
    return std::find_if(runs.begin(), runs.end(),
                        [](const PimRun& run) { return run.op == PimOp::kSfm; });
  }
  template <typename Make>
  std::vector<DomainKernel> kernels(const PimKernel& runs, const Make& make) const {
    const auto shared = std::make_shared<const PimKernel>(runs);
    std::vector<DomainKernel> result;
    for (int channel = 0; channel < channels_; ++channel) {
      result.push_back(
          {channel, shared, std::make_shared<const KernelData>(KernelData{make(channel)})});
    }
    return result;
  }

  HeadOnStack whole_;
  int channels_;
  Mask mask_;
};

PassResult attend_late(const LateHead& head) {
  DirectStack stack(small_config());
  head.whole().poke(stack);
  stack.execute(head.scores(), {nullptr, 0});
  EXPECT_TRUE(stack.take_results().empty());
  stack.execute(head.rest(), {nullptr, 0});
  const auto results = stack.take_results();
  stack.check_identities();
  EXPECT_EQ(results.size(), 1U);
  return results.at(0);
}

// The head as if it had no other tokens than those attended to.
HeadCase attended_only(const HeadCase& head, const Mask& mask) {
  const auto bytes =
      static_cast<std::size_t>(head.shape.head_dim() * traits(head.shape.element).bytes);
  HeadCase small{head.shape, head.queries, {}, {}};
  small.shape.tokens = 0;
  for (std::size_t t = 0; t < mask.size(); ++t) {
    if (!mask[t]) continue;
    ++small.shape.tokens;
    for (std::size_t i = t * bytes; i < (t + 1) * bytes; ++i) {
      small.keys.push_back(head.keys[i]);
      small.values.push_back(head.values[i]);
    }
  }
  return small;
}

TEST(LateMask, GivesTheAttentionOverTheAttendedTokensOnly) {
  HeadDice dice(11);
  for (int i = 0; i < 60; ++i) {
    const auto head = dice.head(dice.shape(small_config().domains()));
    Mask mask(static_cast<std::size_t>(head.shape.tokens));
    for (std::size_t t = 0; t < mask.size(); ++t) mask[t] = dice.roll(0, 2) > 0;
    mask[static_cast<std::size_t>(dice.roll(0, head.shape.tokens - 1))] = true;
    const auto result = attend_late({head, mask});
    const auto expected = reference(attended_only(head, mask));
    const auto dims = static_cast<std::size_t>(head.shape.head_dim());
    for (std::size_t j = 0; j < expected.out.size(); ++j) {
      const double output =
          static_cast<double>(result.acc[j]) / static_cast<double>(result.l[j / dims]);
      ASSERT_NEAR(output, expected.out[j], expected.bound[j]) << "head " << i << ", number " << j;
    }
  }
}

// Two tokens of scores 0 and ln 2, and a third of the largest number there is, masked out.
TEST(LateMask, AMaskedTokenTouchesNeitherTheLargestScoreNorTheSum) {
  HeadShape shape;
  shape.tokens = 3;
  HeadCase head{shape, {}, {}, {}};
  const double score[] = {0, std::log(2), 65504};
  const double value[] = {3, 6, 65504};
  Halves keys, values;
  for (int dim = 0; dim < shape.head_dim(); ++dim) head.queries.push_back(half(dim == 0 ? 1 : 0));
  for (int token = 0; token < 3; ++token) {
    for (int dim = 0; dim < shape.head_dim(); ++dim) {
      keys.push_back(half(score[token]));
      values.push_back(half(value[token]));
    }
  }
  head.keys = bytes_of_halves(keys);
  head.values = bytes_of_halves(values);
  const auto result = attend_late({head, {true, true, false}});
  EXPECT_EQ(result.m[0], fp16_to_float(half(std::log(2))));
  EXPECT_NEAR(static_cast<double>(result.l[0]), 1.5, 1e-3);
  EXPECT_NEAR(static_cast<double>(result.acc[0] / result.l[0]), 5, 5e-3) << "(1 x 3 + 2 x 6) / 3";
}

std::string refusal_of(const std::vector<std::vector<DomainKernel>>& kernels) {
  DirectStack stack(small_config());
  try {
    for (const auto& one : kernels) stack.execute(one, {nullptr, 0});
    stack.check_identities();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(LateMask, RefusesKernelsThatDoNotFollowOneAnother) {
  HeadShape shape;
  shape.tokens = 20;
  shape.head_channels = 2;
  const auto head = HeadDice(3).head(shape);
  const Mask all(20, true);
  Mask other = all;
  other[4] = false;
  const LateHead late{head, all};

  EXPECT_EQ(refusal_of({late.rest()}), "a pass was continued that had not begun");
  EXPECT_EQ(refusal_of({late.scores(), late.scores()}),
            "a score of a pass was moved to the die twice");
  EXPECT_EQ(refusal_of({late.scores(), {late.rest()[0], LateHead{head, other}.rest()[1]}}),
            "two channels describe one pass differently");
  EXPECT_EQ(refusal_of({late.scores(), LateHead{head, Mask(20)}.rest()}),
            "a pass places the value of every token that it attends to");
  auto with_softmax = late.scores();
  for (auto& kernel : with_softmax)
    kernel.kernel = std::make_shared<const PimKernel>(late.whole().kernel());
  EXPECT_EQ(refusal_of({with_softmax}), "a softmax was asked for in a kernel that only scores");
}

}  // namespace
}  // namespace lockstep
