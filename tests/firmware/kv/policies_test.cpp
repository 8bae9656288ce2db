// What every KV policy must do, whichever it is: a new row in policies.cpp is tested by being
// there.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "firmware/kv/allocator.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr PoolConfig kPool{256, 8, 5};

class EveryKvPolicy : public testing::TestWithParam<std::size_t> {
 protected:
  const KvPolicy& policy = kv_policies()[GetParam()];
  std::unique_ptr<KvAllocator> allocator = make_kv_allocator(policy.name, kPool);
};

TEST_P(EveryKvPolicy, AFreshPoolIsFree) {
  EXPECT_EQ(allocator->pool_blocks(), 256);
  EXPECT_LE(allocator->free_blocks(), 256);
  allocator->check_conservation();
}

TEST_P(EveryKvPolicy, ASequenceGetsBlocksOfThePoolEachOnce) {
  auto table = *allocator->admit(1, 20, 24);
  for (int i = 0; i < 4; ++i) table.push_back(*allocator->append(1));
  std::sort(table.begin(), table.end());
  EXPECT_EQ(std::unique(table.begin(), table.end()), table.end());
  EXPECT_EQ(table.size(), 24U);
  EXPECT_GE(table.front(), 0);
  EXPECT_LT(table.back(), 256);
}

TEST_P(EveryKvPolicy, WhatGrowthForetellsIsWhatASequenceTakes) {
  const auto at_first = allocator->free_blocks();
  const auto foretold = allocator->growth(0, 24);
  auto table = *allocator->admit(1, 1, 24);
  auto still = allocator->growth(1, 24);
  for (int held = 1; held < 24; ++held) {
    EXPECT_EQ(at_first - allocator->free_blocks(), foretold - still) << held << " blocks held";
    table.push_back(*allocator->append(1));
    still = allocator->growth(held + 1, 24);
  }
  EXPECT_EQ(still, 0);
  allocator->release(1, table);
  EXPECT_EQ(allocator->free_blocks(), at_first);
}

TEST_P(EveryKvPolicy, RefusesMoreThanThePoolAndChangesNothing) {
  const auto at_first = allocator->free_blocks();
  EXPECT_FALSE(allocator->admit(1, 257, 257));
  EXPECT_EQ(allocator->free_blocks(), at_first);
  EXPECT_EQ(allocator->counts().allocated, 0);
}

TEST_P(EveryKvPolicy, ScratchComesAndGoes) {
  const auto table = *allocator->admit(1, 3, 15);
  const auto before = allocator->free_blocks();
  const auto branches = *allocator->scratch(1, 8);
  for (const auto block : branches) {
    EXPECT_EQ(std::count(table.begin(), table.end(), block), 0);
    EXPECT_EQ(allocator->refs(block), 1);
  }
  allocator->unref(branches);
  allocator->check_conservation();
  EXPECT_EQ(allocator->free_blocks(), before);
}

TEST_P(EveryKvPolicy, FreeingABlockTwiceIsCaught) {
  const auto table = *allocator->admit(1, 2, 2);
  allocator->unref(table);
  EXPECT_THROW(allocator->unref(table), InternalError);
  EXPECT_THROW(allocator->ref(table[0]), InternalError);
  EXPECT_THROW(allocator->ref(256), InternalError);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryKvPolicy,
                         testing::Range<std::size_t>(0, kv_policies().size()),
                         [](const auto& policy) {
                           std::string name(kv_policies()[policy.param].name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// What sets one policy apart.
std::vector<BlockId> admit(KvAllocator& allocator, SequenceId sequence, std::int32_t blocks) {
  return allocator.admit(sequence, blocks, blocks).value();
}

TEST(PagedLifo, AFreshPoolHandsOutDescendingIdsAndReusesTheLastFreed) {
  const auto allocator = make_kv_allocator("paged-lifo", {16, 8});
  const auto first = admit(*allocator, 0, 3);
  EXPECT_EQ(first, (std::vector<BlockId>{15, 14, 13}));
  allocator->release(0, first);
  EXPECT_EQ(admit(*allocator, 1, 4), (std::vector<BlockId>{13, 14, 15, 12}));
}

TEST(Region, ASequenceFillsItsRegionThenTakesTheLowestEmptyOne) {
  const auto allocator = make_kv_allocator("region", {24, 8});
  EXPECT_EQ(admit(*allocator, 0, 2), (std::vector<BlockId>{0, 1}));
  EXPECT_EQ(admit(*allocator, 1, 9), (std::vector<BlockId>{8, 9, 10, 11, 12, 13, 14, 15, 16}));
  EXPECT_EQ(allocator->append(0), 2);
  EXPECT_EQ(admit(*allocator, 2, 1), (std::vector<BlockId>{17})) << "7 free there, 5 in the first";
}

TEST(Contiguous, ASpanIsReservedWholeAndGapsMerge) {
  const auto allocator = make_kv_allocator("contiguous", {16, 8});
  const auto low = allocator->admit(0, 1, 4).value();
  const auto high = allocator->admit(1, 1, 4).value();
  EXPECT_EQ(high, (std::vector<BlockId>{4}));
  EXPECT_EQ(allocator->reserved_blocks(), 6);
  EXPECT_EQ(allocator->free_blocks(), 8);
  EXPECT_EQ(allocator->append(0), 1);
  allocator->release(0, std::vector<BlockId>{0, 1});
  EXPECT_FALSE(allocator->admit(2, 1, 9)) << "12 are free, but 4 and 8";
  EXPECT_EQ(allocator->admit(2, 1, 3), (std::vector<BlockId>{0}));
  allocator->release(1, high);
  EXPECT_EQ(allocator->admit(3, 1, 13), (std::vector<BlockId>{3}));
}

TEST(RandomPlacement, IsGivenByItsSeed) {
  const auto draw = [](std::uint64_t seed) {
    const auto allocator = make_kv_allocator("random", {256, 8, seed});
    return admit(*allocator, 0, 100);
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

TEST(PagedFifo, TakesTheLongestFreeAndGivesBackTheLastFirst) {
  const auto allocator = make_kv_allocator("paged-fifo", {8, 8});
  const auto first = admit(*allocator, 0, 3);
  EXPECT_EQ(first, (std::vector<BlockId>{1, 2, 3})) << "block 0 is the null block";
  allocator->release(0, first);
  EXPECT_EQ(admit(*allocator, 1, 7), (std::vector<BlockId>{4, 5, 6, 7, 3, 2, 1}));
  EXPECT_FALSE(allocator->append(1));
}

TEST(NeuPims, PutsKeysAndValuesOfTheSameTokensInDifferentPages) {
  const auto allocator = make_kv_allocator("neupims", {128, 8});
  // Tokens 0..31: keys in block 0, values in the first of blocks 1..16; the next 32: keys in 17.
  EXPECT_EQ(admit(*allocator, 0, 4), (std::vector<BlockId>{0, 1, 17, 2}));
  EXPECT_EQ(admit(*allocator, 1, 1), (std::vector<BlockId>{18}));
}

TEST(Patton, TheLastBlockIsStagedAndTheFullOnesShareAGroup) {
  const auto allocator = make_kv_allocator("patton", {64, 8});
  EXPECT_EQ(admit(*allocator, 0, 3), (std::vector<BlockId>{0, 1, 16}));
  EXPECT_EQ(admit(*allocator, 1, 2), (std::vector<BlockId>{32, 17}));
  EXPECT_EQ(allocator->append(0), 2);
}

// Blocks that one sequence of 20 blocks (320 tokens) takes from a pool, of the 40 it will have.
struct Taken {
  std::string_view policy;
  std::int32_t blocks;
};
constexpr Taken kTaken[] = {
    {"paged-lifo", 20},
    {"paged-fifo", 20},
    {"region", 20},
    {"region-gather", 20},
    {"random", 20},
    {"contiguous", 40},
    {"neupims", 10 + 16},     // 10 pages of 32 tokens' keys, one of 512
                              // tokens' values
    {"pimphony", 2 * 16},     // 1 MiB is 16 blocks of 64 KiB
    {"blockpim", 3 * 8},      // a row of all banks is 8 blocks
    {"patton", 2 * 16 + 16},  // 19 full blocks in 2 groups; one staged in a group for all
};

TEST(KvPolicies, TakeWhatTheirUnitOfAllocationSays) {
  ASSERT_EQ(std::size(kTaken), kv_policies().size());
  for (const auto& taken : kTaken) {
    const auto allocator = make_kv_allocator(taken.policy, kPool);
    const auto before = allocator->free_blocks();
    allocator->admit(0, 20, 40);
    EXPECT_EQ(before - allocator->free_blocks(), taken.blocks) << taken.policy;
  }
}

TEST(KvPolicies, AnUnknownNameAndAPoolThatDoesNotSuitAreRefused) {
  const auto refusal = [](std::string_view policy, const PoolConfig& pool) -> std::string {
    try {
      make_kv_allocator(policy, pool);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("region", {97, 8}),
            "policy `region` needs whole regions: a pool of 97 blocks is no multiple of 8");
  EXPECT_EQ(refusal("random", {0, 8}),
            "a KV pool needs at least 1 block and 1 block per region, got 0 and 8");
  EXPECT_EQ(refusal("neupims", {64, 8, 0, ScratchPlacement::kSeparate, 32}),
            "policy `neupims` needs `block_tokens` that divide 16, got 32");
  EXPECT_EQ(refusal("pimphony", {64, 8, 0, ScratchPlacement::kSeparate, 16, 0}),
            "a KV block needs at least 1 byte, got 0");
  EXPECT_EQ(refusal("patton", {15, 8}),
            "the KV policy works on chunks of 16 blocks, but the pool has 15");
  EXPECT_EQ(refusal("worst", {8, 8}).substr(0, 48),
            "unknown KV policy `worst`; known: paged-lifo, pa");
}

}  // namespace
}  // namespace lockstep
