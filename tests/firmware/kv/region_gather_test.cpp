// What gathering moves, on pools small enough to follow by hand; and that it is the region policy
// as long as nothing moves.
#include "firmware/kv/region_gather.h"

#include <random>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

struct Move {
  SequenceId sequence;
  BlockId source;
  BlockId destination;
};

bool operator==(const BlockMove& a, const Move& b) {
  return a.sequence == b.sequence && a.source == b.source && a.destination == b.destination;
}

void expect_moves(KvAllocator& allocator, const std::vector<Move>& expected) {
  const auto moves = allocator.rearrange();
  ASSERT_EQ(moves.size(), expected.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_TRUE(moves[i] == expected[i])
        << "move " << i << " takes block " << moves[i].source << " of sequence "
        << moves[i].sequence << " to " << moves[i].destination;
  }
  allocator.check_conservation();
}

// Two regions of 8: sequence 0 fills half of each with 2 and 1 in its way.
class TwoRegions : public testing::Test {
 protected:
  TwoRegions() {
    EXPECT_EQ(allocator.admit(0, 4, 9), (std::vector<BlockId>{0, 1, 2, 3}));
    EXPECT_EQ(allocator.admit(1, 4, 4), (std::vector<BlockId>{8, 9, 10, 11}));
    EXPECT_EQ(allocator.admit(2, 4, 4), (std::vector<BlockId>{4, 5, 6, 7}));
    EXPECT_EQ(allocator.append(0), 12) << "its region is full";
  }
  RegionGather allocator{PoolConfig{16, 8}};
};

TEST_F(TwoRegions, WhatTooManyCopiesWouldSaveStays) {
  // 1 block would need the 4 of sequence 2 out of its way, for which no region has room, and 4
  // blocks the 4 of sequence 1: 8 copies, and three quarters of a region are 6.
  expect_moves(allocator, {});
}

TEST_F(TwoRegions, ARunJoinsItsNeighbourWhereARegionHasRoom) {
  allocator.release(1, std::vector<BlockId>{8, 9, 10, 11});
  expect_moves(allocator, {{0, 0, 8}, {0, 1, 9}, {0, 2, 10}, {0, 3, 11}});
  EXPECT_EQ(allocator.append(0), 13) << "growth goes on where the sequence went";
  EXPECT_EQ(allocator.counts().moved, 4);
  allocator.release(0, std::vector<BlockId>{8, 9, 10, 11, 12, 13});
  allocator.release(2, std::vector<BlockId>{4, 5, 6, 7});
  EXPECT_EQ(allocator.free_blocks(), 16);
  EXPECT_EQ(allocator.counts().allocated, allocator.counts().freed);
}

TEST_F(TwoRegions, ASharedBlockStaysAndItsRunWithIt) {
  allocator.ref(2);
  allocator.release(1, std::vector<BlockId>{8, 9, 10, 11});
  // The 4 may not move, so the 1 goes back to them and sequence 2 makes room: 5 copies.
  expect_moves(allocator, {{2, 4, 8}, {2, 5, 9}, {2, 6, 10}, {2, 7, 11}, {0, 12, 4}});
}

TEST(RegionGather, TheShortestRunInTheWayLeaves) {
  RegionGather allocator(PoolConfig{24, 8});
  EXPECT_EQ(allocator.admit(0, 5, 9)->back(), 4);
  EXPECT_EQ(allocator.admit(1, 8, 8)->back(), 15);
  EXPECT_EQ(allocator.admit(2, 6, 9)->back(), 21);
  EXPECT_EQ(allocator.admit(3, 2, 2), (std::vector<BlockId>{5, 6}));
  EXPECT_EQ(allocator.admit(4, 1, 1), (std::vector<BlockId>{22}));
  EXPECT_EQ(allocator.admit(5, 1, 1), (std::vector<BlockId>{7}));
  EXPECT_EQ(allocator.append(0), 23) << "the last free block of the pool";
  expect_moves(allocator, {});
  allocator.release(4, std::vector<BlockId>{22});
  // The run of 5 on to the run of 1 does not fit; the one block of sequence 5 can give way.
  expect_moves(allocator, {{5, 7, 22}, {0, 23, 7}});
}

TEST(RegionGather, AStepCopiesNoMoreThanItMay) {
  RegionGather allocator(PoolConfig{16, 8}, GatherLimits{8, 3, 16});
  EXPECT_EQ(allocator.admit(0, 4, 9)->front(), 0);
  EXPECT_EQ(allocator.admit(1, 4, 4)->front(), 8);
  EXPECT_EQ(allocator.admit(2, 4, 4)->front(), 4);
  EXPECT_EQ(allocator.append(0), 12);
  allocator.release(1, std::vector<BlockId>{8, 9, 10, 11});
  expect_moves(allocator, {});
}

TEST(RegionGather, IsTheRegionPolicyAsLongAsNothingMoves) {
  constexpr std::uint64_t kSeed = 11;
  constexpr int kSteps = 20'000;
  const PoolConfig pool{192, 8};
  const auto region = make_kv_allocator("region", pool);
  const auto gather = make_kv_allocator("region-gather", pool);
  std::mt19937_64 random(kSeed);
  std::map<SequenceId, std::vector<BlockId>> live;
  for (int step = 0; step < kSteps; ++step) {
    if (random() % 4 == 0) {
      const auto blocks = static_cast<std::int32_t>(random() % 20);
      const auto placed = region->admit(step, blocks, blocks);
      ASSERT_EQ(gather->admit(step, blocks, blocks), placed) << "seed " << kSeed << step;
      if (placed) live[step] = *placed;
      continue;
    }
    if (live.empty()) continue;
    const auto chosen =
        std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
    auto& [id, table] = *chosen;
    if (random() % 8 == 0) {
      region->release(id, table);
      gather->release(id, table);
      live.erase(chosen);
    } else {
      const auto block = region->append(id);
      ASSERT_EQ(gather->append(id), block) << "seed " << kSeed << ", step " << step;
      if (block) table.push_back(*block);
    }
  }
}

}  // namespace
}  // namespace lockstep
