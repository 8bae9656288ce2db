// Which blocks prompts share, followed by hand on small pools.
#include "firmware/serving/prefix_cache.h"

#include <gtest/gtest.h>

#include "firmware/serving/serving_loop.h"

namespace lockstep {
namespace {

using Ids = std::vector<std::uint64_t>;

Request hashed(std::int32_t id, std::int64_t arrival, std::int32_t prompt, std::int32_t output,
               Ids ids, std::int32_t run = 32) {
  return {id, arrival, prompt, output, -1, 0, std::move(ids), run};
}

Request prefixed(std::int32_t id, std::int32_t prompt, std::int32_t output, std::int32_t tokens) {
  return {id, 0, prompt, output, 7, tokens, {}, 0};
}

ServingConfig sharing(PrefixSharing by) {
  ServingConfig config;
  config.prefix_sharing = by;
  return config;
}

void step(ServingLoop& loop) {
  loop.begin_step();
  loop.end_step();
}

TEST(PinnedPrefix, FullBlocksAreSharedAndTheBoundaryBlockIsPrivate) {
  const auto allocator = make_kv_allocator("paged-lifo", {16, 8});
  ServingLoop loop(sharing(PrefixSharing::kPrefixId),
                   {prefixed(0, 50, 2, 40), prefixed(1, 40, 2, 40)}, *allocator);
  loop.begin_step();
  // 40 common tokens fill blocks 15 and 14; tokens 32..39 are private to each.
  EXPECT_EQ(loop.running()[0].blocks, (std::vector<BlockId>{15, 14, 13, 12}));
  EXPECT_EQ(loop.running()[1].blocks, (std::vector<BlockId>{15, 14, 11}));
  EXPECT_EQ(loop.running()[1].shared_blocks, 2);
  EXPECT_EQ(allocator->refs(15), 3);
  loop.end_step();
  step(loop);
  EXPECT_TRUE(loop.done());
  EXPECT_EQ(allocator->free_blocks(), 14) << "the prefix stays";
}

TEST(PinnedPrefix, IsExtendedForARequestThatHasMoreOfIt) {
  const auto allocator = make_kv_allocator("paged-lifo", {16, 8});
  PinnedPrefixes prefixes(16, *allocator);
  EXPECT_EQ(prefixes.demand(prefixed(0, 20, 1, 20)), 1);
  EXPECT_EQ(prefixes.share(prefixed(0, 20, 1, 20)), (std::vector<BlockId>{15}));
  EXPECT_EQ(prefixes.demand(prefixed(1, 50, 1, 50)), 2);
  EXPECT_EQ(prefixes.share(prefixed(1, 50, 1, 50)), (std::vector<BlockId>{15, 14, 13}));
  EXPECT_EQ(prefixes.demand(prefixed(2, 20, 1, 50)), 0);
  EXPECT_EQ(prefixes.share(prefixed(2, 20, 1, 50)), (std::vector<BlockId>{15}));
}

TEST(HashedPrefix, BlocksOfAnEarlierPromptAreReferencedNotAllocated) {
  const auto allocator = make_kv_allocator("paged-lifo", {16, 8});
  ServingLoop loop(sharing(PrefixSharing::kHashIds),
                   {hashed(0, 0, 64, 1, {1, 2}), hashed(1, 1, 64, 1, {1, 3})}, *allocator);
  loop.begin_step();
  EXPECT_EQ(loop.running()[0].blocks, (std::vector<BlockId>{15, 14, 13, 12, 11}));
  loop.end_step();
  EXPECT_EQ(allocator->free_blocks(), 12) << "4 full blocks of the prompt stay";
  loop.begin_step();
  EXPECT_EQ(loop.running()[0].blocks, (std::vector<BlockId>{15, 14, 11, 10, 9}));
  EXPECT_EQ(loop.counters().prefix_hit_blocks, 2);
}

TEST(HashedPrefix, ALastIdOfAPartialRunIsNotShared) {
  const auto allocator = make_kv_allocator("paged-lifo", {16, 8});
  // 60 tokens: one whole run of 32, and 28 tokens under the second id.
  ServingLoop loop(sharing(PrefixSharing::kHashIds),
                   {hashed(0, 0, 60, 9, {1, 2}), hashed(1, 0, 60, 9, {1, 2})}, *allocator);
  loop.begin_step();
  EXPECT_EQ(loop.running()[1].shared_blocks, 2);
}

TEST(HashedPrefix, AnIdMeansTheSameOnlyAfterTheSameBeginning) {
  const auto allocator = make_kv_allocator("paged-lifo", {16, 8});
  ServingLoop loop(sharing(PrefixSharing::kHashIds),
                   {hashed(0, 0, 64, 9, {1, 2}), hashed(1, 0, 64, 9, {3, 2})}, *allocator);
  loop.begin_step();
  EXPECT_EQ(loop.running()[1].shared_blocks, 0);
}

TEST(HashedPrefix, RunsAndBlocksNeedNotBeTheSameSize) {
  const auto allocator = make_kv_allocator("paged-lifo", {32, 8});
  // Runs of 24 tokens: block 1 (16..31) needs the second id as well.
  ServingLoop loop(sharing(PrefixSharing::kHashIds),
                   {hashed(0, 0, 72, 9, {1, 2, 3}, 24), hashed(1, 0, 72, 9, {1, 4, 5}, 24),
                    hashed(2, 0, 72, 9, {1, 2, 5}, 24)},
                   *allocator);
  loop.begin_step();
  EXPECT_EQ(loop.running()[1].shared_blocks, 1);
  EXPECT_EQ(loop.running()[2].shared_blocks, 3) << "48 tokens are the same";
}

TEST(HashedPrefix, TheLeastRecentlyUsedGoesFirstAndAPromptsEndBeforeItsBeginning) {
  const auto allocator = make_kv_allocator("paged-lifo", {7, 1});
  ServingLoop loop(
      sharing(PrefixSharing::kHashIds),
      {hashed(0, 0, 32, 1, {1}), hashed(1, 1, 32, 1, {2}), hashed(2, 2, 32, 1, {1}),
       hashed(3, 3, 65, 1, {8, 9, 10}), hashed(4, 4, 32, 1, {1}), hashed(5, 5, 32, 1, {2})},
      *allocator);
  step(loop);
  step(loop);
  EXPECT_EQ(allocator->free_blocks(), 3) << "prompts 1 and 2 are cached, 2 blocks each";
  step(loop);
  EXPECT_EQ(loop.counters().prefix_hit_blocks, 2);
  step(loop);  // takes 5 of 3 + 4: both blocks of prompt 2, which was not used since
  EXPECT_EQ(loop.counters().prefix_evicted_blocks, 2);
  step(loop);
  EXPECT_EQ(loop.counters().prefix_hit_blocks, 4) << "prompt 1 was still there";
  step(loop);
  EXPECT_EQ(loop.counters().prefix_hit_blocks, 4) << "prompt 2 was not";
  EXPECT_EQ(loop.counters().completed, 6);
}

TEST(HashedPrefix, CachedBlocksMakeRoomForAGrowingSequence) {
  const auto allocator = make_kv_allocator("paged-lifo", {4, 1});
  ServingConfig config = sharing(PrefixSharing::kHashIds);
  config.admission = Admission::kVllm;
  ServingLoop loop(config, {hashed(0, 0, 32, 1, {1}), hashed(1, 1, 16, 40, {})}, *allocator);
  while (!loop.done()) step(loop);
  EXPECT_EQ(loop.counters().completed, 2);
  EXPECT_EQ(loop.counters().preemptions, 0);
  EXPECT_EQ(loop.counters().prefix_evicted_blocks, 2);
}

}  // namespace
}  // namespace lockstep
