// The serving loop on a handful of requests, followed by hand.
#include "firmware/serving/serving_loop.h"

#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "firmware/serving/pool.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

Request request(std::int32_t id, std::int64_t arrival, std::int32_t prompt, std::int32_t output) {
  return {id, arrival, prompt, output, -1, 0, {}, 0};
}

std::unique_ptr<KvAllocator> pool_of(std::int32_t blocks, std::string_view policy = "paged-lifo") {
  return make_kv_allocator(policy, {blocks, 8});
}

std::vector<SequenceId> ids(const ServingLoop& loop) {
  std::vector<SequenceId> all;
  for (const auto& sequence : loop.running()) all.push_back(sequence.id);
  return all;
}

TEST(ServingLoop, ASequenceAppendsInTheStepThatAdmitsIt) {
  const auto allocator = pool_of(4);
  ServingLoop loop({}, {request(7, 3, 16, 2)}, *allocator);
  loop.begin_step();
  ASSERT_EQ(loop.running().size(), 1U);
  EXPECT_EQ(loop.step(), 3) << "steps before the first arrival pass at once";
  EXPECT_EQ(loop.running()[0].tokens, 17);
  EXPECT_EQ(loop.running()[0].blocks, (std::vector<BlockId>{3, 2}));
  loop.end_step();
  EXPECT_FALSE(loop.done());
  loop.begin_step();
  loop.end_step();
  EXPECT_TRUE(loop.done());
  EXPECT_EQ(loop.counters().steps, 2);
  EXPECT_EQ(loop.counters().completed, 1);
  EXPECT_EQ(loop.counters().generated_tokens, 2);
  EXPECT_EQ(allocator->free_blocks(), 4);
}

TEST(ServingLoop, TheHeadOfTheQueueHoldsUpAllBehindIt) {
  const auto allocator = pool_of(4);
  ServingLoop loop({}, {request(0, 0, 30, 2), request(1, 0, 40, 8), request(2, 0, 8, 4)},
                   *allocator);
  loop.begin_step();
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{0})) << "1 needs 3 blocks of 2, and 2 must wait";
  EXPECT_EQ(loop.counters().admission_failures, 1);
  loop.end_step();
  loop.begin_step();
  loop.end_step();
  loop.begin_step();
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{1, 2}));
}

TEST(ServingLoop, TheOracleKeepsTheGrowthOfThoseWhoRun) {
  const auto allocator = pool_of(4);
  ServingLoop loop({}, {request(0, 0, 1, 40), request(1, 0, 1, 20)}, *allocator);
  loop.begin_step();
  EXPECT_EQ(allocator->free_blocks(), 3);
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{0})) << "3 free, 2 of them committed, 2 needed";
}

TEST(ServingLoop, NoMoreThanTheBatchRuns) {
  const auto allocator = pool_of(40);
  ServingConfig config;
  config.max_batch = 2;
  ServingLoop loop(config, {request(0, 0, 1, 1), request(1, 0, 1, 1), request(2, 0, 1, 1)},
                   *allocator);
  loop.begin_step();
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{0, 1}));
  EXPECT_EQ(loop.counters().admission_failures, 0);
}

// Three sequences of one block each fill the pool; whoever needs a second pushes the latest out.
TEST(ServingLoop, VllmPreemptsTheLatestAndTakesItBackFirst) {
  const auto allocator = pool_of(3);
  ServingConfig config;
  config.admission = Admission::kVllm;
  ServingLoop loop(
      config,
      {request(0, 0, 15, 4), request(1, 0, 14, 3), request(2, 0, 8, 4), request(3, 0, 1, 1)},
      *allocator);
  loop.begin_step();
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{0, 1, 2})) << "3 finds no block";
  loop.end_step();
  loop.begin_step();  // 0 goes from 16 to 17 tokens, and 2 must give up its block
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{0, 1}));
  EXPECT_EQ(loop.counters().preemptions, 1);
  EXPECT_EQ(loop.counters().recomputed_tokens, 9);
  loop.end_step();
  loop.begin_step();  // 1 goes from 16 to 17 tokens, and there is none after it but itself and 0
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{1}));
  EXPECT_EQ(loop.counters().preemptions, 2);
  loop.end_step();
  loop.begin_step();  // 1 has ended; 0, preempted last, comes before 2, and both before 3
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{0, 2}));
  EXPECT_EQ(loop.running()[0].tokens, 19);
  EXPECT_EQ(loop.running()[1].tokens, 10);
  EXPECT_EQ(loop.running()[1].preemptions, 1);
}

TEST(ServingLoop, VllmKeepsItsWatermarkFree) {
  const auto allocator = pool_of(10);
  ServingConfig config;
  config.admission = Admission::kVllm;
  config.watermark = 0.2;
  ServingLoop loop(config, {request(0, 0, 100, 1), request(1, 0, 32, 1), request(2, 0, 1, 1)},
                   *allocator);
  loop.begin_step();
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{0})) << "7 of 10 used; 2 more would leave 1";
}

TEST(ServingLoop, CountsWhatBlocksHoldAndCouldHold) {
  const auto allocator = pool_of(8, "contiguous");
  ServingLoop loop({}, {request(0, 0, 20, 20)}, *allocator);
  loop.begin_step();
  loop.end_step();
  EXPECT_EQ(loop.counters().used_token_steps, 21);
  EXPECT_EQ(loop.counters().empty_token_steps, 3 * 16 - 21);
}

TEST(ServingStats, EachRowHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const auto& stat : kServingStats) names.insert(stat.name);
  EXPECT_EQ(names.size(), std::size(kServingStats));
  ServingCounters counters;
  for (const auto& stat : kServingStats) ++(counters.*stat.member);
  for (const auto& stat : kServingStats) EXPECT_EQ(counters.*stat.member, 1) << stat.name;
}

TEST(ServingLoop, ARequestLargerThanThePoolIsDroppedAndCounted) {
  const auto allocator = pool_of(4);
  ServingLoop loop({}, {request(0, 0, 60, 5), request(1, 0, 1, 1)}, *allocator);
  loop.begin_step();
  EXPECT_EQ(ids(loop), (std::vector<SequenceId>{1}));
  loop.end_step();
  EXPECT_TRUE(loop.done());
  EXPECT_EQ(loop.counters().dropped_too_large, 1);
  EXPECT_EQ(loop.counters().dropped(), 1);
}

TEST(ServingLoop, ALoopOfWhichNothingIsLeftRunsNoStep) {
  const auto allocator = pool_of(1);
  ServingLoop loop({}, {request(0, 5, 60, 5)}, *allocator);
  loop.begin_step();
  loop.end_step();
  EXPECT_TRUE(loop.done());
  EXPECT_EQ(loop.counters().steps, 0);
}

TEST(ServingLoop, RefusesRequestsThatCannotBeServedAllAtOnce) {
  const auto allocator = pool_of(4);
  try {
    ServingLoop loop({},
                     {request(0, 0, 0, 5),
                      request(1, 0, 1, 0),
                      request(1, 0, 1, 1),
                      request(2, 0, 1, 2147483647),
                      {3, 0, 1, 1, 0, -1, {}, 0}},
                     *allocator);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "request 0: needs at least 1 prompt token\n"
                 "request 1: needs at least 1 output token\n"
                 "request 1 occurs twice\n"
                 "request 2: prompt and output exceed 2^31 - 1 tokens\n"
                 "request 3: prefix_tokens must not be negative, nor prefix_id exceed 2^31 - 5");
  }
}

TEST(Pool, IsTheStudysFormula) {
  // mean (193 + 152 + 104 + 175) / 2 = 312 tokens -> 313 -> 20 blocks; 1.3 x 64 x 20 = 1664.
  const std::vector<Request> two = {request(0, 0, 193, 152), request(1, 0, 104, 175)};
  EXPECT_EQ(pool_blocks(1.3, 64, two, 16, 8, PoolRounding::kBlock), 1664);
  EXPECT_EQ(pool_blocks(1.01, 64, two, 16, 8, PoolRounding::kBlock), 1292);
  EXPECT_EQ(pool_blocks(1.01, 64, two, 16, 8, PoolRounding::kRegion), 1296);
  EXPECT_THROW(pool_blocks(0.0, 64, two, 16, 8, PoolRounding::kBlock), InputError);
  EXPECT_THROW(pool_blocks(1e9, 64, two, 16, 8, PoolRounding::kBlock), InputError);
}

}  // namespace
}  // namespace lockstep
