// Random heads of every shape and element: against double precision, and the same bits whichever
// channel of the stack plays which part.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "hw/stack/direct_stack.h"
#include "tests/hw/functional/random_head.h"

namespace lockstep {
namespace {

constexpr int kSeeds = 60;

std::vector<std::uint32_t> bits_of(const PassResult& result) {
  std::vector<std::uint32_t> bits;
  for (const auto* numbers : {&result.m, &result.l, &result.acc}) {
    for (const float number : *numbers) bits.push_back(bits_of_float(number));
  }
  return bits;
}

TEST(RandomHeads, AttendAsDoublePrecisionDoes) {
  const StackConfig config = small_config({"pim.unit_queries=8"});
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    HeadDice dice(seed);
    const HeadCase head = dice.head(dice.shape(config.domains()));
    std::vector<int> domains(static_cast<std::size_t>(head.shape.head_channels));
    std::iota(domains.begin(), domains.end(), 0);
    DirectStack stack(config);
    const auto result = attend(stack, HeadOnStack(config, head, domains));
    stack.check_identities();
    const auto expected = reference(head);
    ASSERT_EQ(result.acc.size(), expected.out.size());
    const auto dims = static_cast<std::size_t>(head.shape.head_dim());
    for (std::size_t i = 0; i < expected.out.size(); ++i) {
      const double out =
          static_cast<double>(result.acc[i]) / static_cast<double>(result.l[i / dims]);
      ASSERT_LE(std::fabs(out - expected.out[i]), expected.bound[i])
          << "seed " << seed << " element " << traits(head.shape.element).name << " number " << i;
    }
  }
}

TEST(RandomHeads, GiveTheSameBitsForAnyOrderOfChannelsAndAnyGrouping) {
  const StackConfig config = small_config();
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    HeadDice dice(seed);
    HeadShape shape = dice.shape(config.domains());
    shape.head_channels = config.domains();
    HeadCase head = dice.head(shape);
    std::vector<int> domains(static_cast<std::size_t>(shape.head_channels));
    std::iota(domains.begin(), domains.end(), 0);
    std::vector<std::vector<std::uint32_t>> outcomes;
    for (int i = 0; i < 4; ++i) {
      DirectStack stack(config);
      outcomes.push_back(bits_of(attend(stack, HeadOnStack(config, head, domains))));
      std::next_permutation(domains.begin(), domains.end());
      std::rotate(domains.begin(), domains.begin() + 1, domains.end());
      head.shape.queries_per_column = dice.roll(1, shape.queries);
    }
    for (const auto& outcome : outcomes) ASSERT_EQ(outcome, outcomes[0]) << "seed " << seed;
  }
}

// 32 banks over both pseudo channels of a channel or over two SIDs, 16 of 32, or 8 of 16.
TEST(RandomHeads, AttendInEveryLockstepScope) {
  const std::vector<std::vector<std::string>> scopes = {
      {"pim.all_bank_scope=channel"},
      {"geometry.stack_ids=2"},
      {"geometry.stack_ids=2", "pim.stack_id_scope=one"},
      {"pim.row_overlap=half_scope"}};
  for (const auto& scope : scopes) {
    const StackConfig config = small_config(scope);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      HeadDice dice(seed);
      HeadShape shape = dice.shape(1);
      const HeadCase head = dice.head(shape);
      DirectStack stack(config);
      const auto result = attend(stack, HeadOnStack(config, head, {1}));
      const auto expected = reference(head);
      const auto dims = static_cast<std::size_t>(shape.head_dim());
      for (std::size_t i = 0; i < expected.out.size(); ++i) {
        const double out =
            static_cast<double>(result.acc[i]) / static_cast<double>(result.l[i / dims]);
        ASSERT_LE(std::fabs(out - expected.out[i]), expected.bound[i])
            << scope.back() << " seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
