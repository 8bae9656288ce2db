// With prefix sharing, speculation and preemption all on, every step of every policy: who holds a
// block is who refers to it, and no block or request is lost.
#include <map>

#include <gtest/gtest.h>

#include "firmware/serving/serving_loop.h"
#include "tests/firmware/serving/study.h"

namespace lockstep {
namespace {

constexpr std::int32_t kPoolBlocks = 512;
constexpr std::int32_t kBlocksPerRegion = 8;
constexpr std::int32_t kRequests = 120;

// Prompts that share beginnings both by prefix_id and by hash_ids, drawn by a linear congruence.
std::vector<Request> requests_that_share() {
  std::vector<Request> requests;
  std::uint64_t state = 7;
  const auto draw = [&state](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int32_t>((state >> 33) % below);
  };
  for (std::int32_t id = 0; id < kRequests; ++id) {
    Request request{id, id / 2, 64 + draw(400), 20 + draw(200), -1, 0, {}, 16};
    if (draw(10) < 7) {
      request.prefix_id = draw(3);
      request.prefix_tokens = 60;
    }
    for (std::int32_t i = 0; i < request.prompt_tokens / 16; ++i) {
      request.hash_ids.push_back(
          static_cast<std::uint64_t>(i < 6 ? 100 * (id % 4) + i : 10000 * id + i));
    }
    requests.push_back(std::move(request));
  }
  return requests;
}

// Beside the tables only a prefix cache may refer to a block, and it does so once.
void expect_every_reference_accounted_for(const ServingLoop& loop, const KvAllocator& allocator) {
  std::map<BlockId, std::int32_t> held;
  for (const auto& sequence : loop.running()) {
    for (const auto block : sequence.blocks) ++held[block];
  }
  std::int64_t live = 0;
  for (BlockId block = 0; block < allocator.pool_blocks(); ++block) {
    const auto refs = allocator.refs(block);
    const auto tables = held.count(block) > 0 ? held.at(block) : 0;
    live += refs > 0 ? 1 : 0;
    ASSERT_GE(refs, tables) << "block " << block << " at step " << loop.step();
    ASSERT_LE(refs, tables + 1) << "block " << block << " at step " << loop.step();
  }
  ASSERT_EQ(live, allocator.counts().allocated - allocator.counts().freed);
  ASSERT_EQ(live + allocator.reserved_blocks() + allocator.free_blocks(), allocator.pool_blocks());
}

TEST(Conservation, HoldsEachStepWithSharingSpeculationAndPreemptionAllOn) {
  std::int64_t preemptions = 0;
  std::int64_t shared = 0;
  for (const auto& policy : kv_policies()) {
    for (const auto sharing : {PrefixSharing::kPrefixId, PrefixSharing::kHashIds}) {
      for (const auto commit : {Speculation::Commit::kSplice, Speculation::Commit::kCopyBack}) {
        SCOPED_TRACE(policy.name);
        ServingConfig config;
        config.max_batch = 24;
        config.admission = Admission::kVllm;
        config.prefix_sharing = sharing;
        config.speculation = Speculation{commit};
        const auto allocator = make_kv_allocator(policy.name, {kPoolBlocks, kBlocksPerRegion, 5});
        ServingLoop loop(config, requests_that_share(), *allocator);
        while (!loop.done()) {
          loop.begin_step();
          expect_every_reference_accounted_for(loop, *allocator);
          loop.end_step();
          if (HasFatalFailure()) return;
        }
        EXPECT_EQ(loop.counters().completed + loop.counters().dropped(), kRequests);
        preemptions += loop.counters().preemptions;
        shared += loop.counters().prefix_hit_blocks;
      }
    }
  }
  EXPECT_GT(preemptions, 0) << "the test does not reach preemption";
  EXPECT_GT(shared, 0) << "the test does not reach sharing";
}

}  // namespace
}  // namespace lockstep
