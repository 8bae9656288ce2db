// Host accesses that domains share end as if every domain had computed them itself.
#include "hw/stack/access_symmetry.h"

#include <gtest/gtest.h>

#include "hw/stack/direct_stack.h"
#include "tests/support/stacks.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kSeed = 20261130;

// Accesses whose ends are multiples of a power of two, so that domains share some.
std::vector<HostAccess> aligned_accesses(Dice& dice, const StackConfig& config) {
  const std::int64_t unit = std::int64_t{32} << dice.roll(0, 8);
  const auto units = config.geometry.capacity().count / unit;
  std::vector<HostAccess> accesses;
  for (std::int64_t i = dice.roll(1, 6); i > 0; --i) {
    const auto first = dice.roll(0, static_cast<int>(units - 4));
    accesses.push_back({dice.one_in(2) ? AccessKind::kRead : AccessKind::kWrite,
                        static_cast<std::uint64_t>(first * unit), unit * dice.roll(1, 3)});
  }
  return accesses;
}

// An empty kernel for domain 0 makes the stack take the way on which every domain is computed.
TEST(AccessSymmetry, EndsAsIfEveryDomainHadBeenComputed) {
  int shared = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", case " + std::to_string(number));
    Dice dice(kSeed + number);
    const auto config = random_stack(dice);
    DirectStack quick(config);
    DirectStack plain(config);
    const auto nothing = std::make_shared<const PimKernel>();
    for (int round = 0; round < 4; ++round) {
      const auto accesses = aligned_accesses(dice, config);
      for (std::size_t d = 0; d < static_cast<std::size_t>(config.domains()); ++d) {
        shared += AccessSymmetry(config, accesses).leader(d) != d ? 1 : 0;
      }
      quick.execute({nullptr, 0}, accesses);
      plain.execute(std::vector<DomainKernel>{{0, nothing}}, accesses);
      ASSERT_EQ(quick.now(), plain.now()) << "round " << round;
      for (int domain = 1; domain < config.domains(); ++domain) {
        ASSERT_TRUE(quick.controller(domain) == plain.controller(domain)) << "domain " << domain;
      }
      ASSERT_EQ(quick.total_stats().commands, plain.total_stats().commands);
    }
    quick.check_identities();
  }
  EXPECT_GT(shared, 100) << "the test does not reach domains that share accesses";
}

// Under host-centric the channel lies right above a row of 1 KiB: pieces of 2 KiB reach two
// channels alike, of 4 KiB all four.
TEST(AccessSymmetry, FollowsFromTheAlignmentOfAllAccesses) {
  const auto config = small_stack();
  const auto leaders = [&](std::int64_t bytes) {
    const std::vector<HostAccess> accesses = {
        {AccessKind::kRead, static_cast<std::uint64_t>(8 * bytes), bytes}};
    std::vector<std::size_t> result;
    for (std::size_t d = 0; d < 4; ++d)
      result.push_back(AccessSymmetry(config, accesses).leader(d));
    return result;
  };
  EXPECT_EQ(leaders(1024), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(leaders(2048), (std::vector<std::size_t>{0, 0, 2, 2}));
  EXPECT_EQ(leaders(4096), (std::vector<std::size_t>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace lockstep
