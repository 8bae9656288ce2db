// Moves in the serving loop: the tables follow, the copies take every token along, and a run is
// the same each time.
#include <map>

#include <gtest/gtest.h>

#include "tests/firmware/serving/study.h"

namespace lockstep {
namespace {

struct Token {
  SequenceId sequence = -1;
  std::int32_t position = 0;
};

bool operator==(const Token& a, const Token& b) {
  return a.sequence == b.sequence && a.position == b.position;
}

// A pool whose token places remember what was written to them.
class TaggedPool {
 public:
  explicit TaggedPool(std::int32_t blocks)
      : places_(static_cast<std::size_t>(blocks) * study::kBlockTokens) {}

  void copy(const BlockCopy& copy) {
    for (auto t = copy.offset_tokens; t < copy.offset_tokens + copy.tokens; ++t) {
      place(copy.destination, t) = place(copy.source, t);
    }
  }
  Token& at(const Sequence& sequence, std::int32_t position) {
    const auto block = static_cast<std::size_t>(position / study::kBlockTokens);
    return place(sequence.blocks[block], position % study::kBlockTokens);
  }

 private:
  Token& place(BlockId block, std::int32_t offset) {
    return places_[static_cast<std::size_t>(block * study::kBlockTokens + offset)];
  }
  std::vector<Token> places_;
};

std::vector<Request> first_requests(std::size_t count) {
  auto stream = study::requests("requests_steady500_seed0.csv");
  stream.resize(count);
  return stream;
}

constexpr std::int32_t kPool = 800;  // full most of the time, with the requests above

ServingConfig preempting() {
  ServingConfig config;
  config.admission = Admission::kVllm;
  return config;
}

TEST(Gather, EveryTokenIsWhereItsTableSaysAfterTheCopies) {
  const auto allocator = make_kv_allocator("region-gather", {kPool, study::kBlocksPerRegion});
  ServingLoop loop(preempting(), first_requests(150), *allocator);
  TaggedPool pool(kPool);
  while (!loop.done()) {
    loop.begin_step();
    for (const auto& copy : loop.copies()) {
      EXPECT_EQ(copy.reason, BlockCopy::Reason::kGather);
      pool.copy(copy);
    }
    for (const auto& sequence : loop.running()) {
      const bool prefilled = sequence.admitted_step == loop.step();
      const auto written = prefilled ? 0 : sequence.tokens - 1;
      for (auto t = written; t < sequence.tokens; ++t) pool.at(sequence, t) = {sequence.id, t};
    }
    for (const auto& sequence : loop.running()) {
      for (std::int32_t t = 0; t < sequence.tokens; ++t) {
        ASSERT_TRUE(pool.at(sequence, t) == (Token{sequence.id, t}))
            << "token " << t << " of sequence " << sequence.id << " in step " << loop.step();
      }
    }
    loop.end_step();
  }
  EXPECT_EQ(loop.counters().completed, 150);
  EXPECT_GT(loop.counters().preemptions, 10);
  EXPECT_GT(loop.counters().gathered_tokens, 10'000);
  EXPECT_GT(allocator->counts().moved, loop.counters().gathered_tokens / study::kBlockTokens);
}

TEST(Gather, AStreamThatReadOnlyWhatIsNewNoticesEveryMove) {
  const auto allocator = make_kv_allocator("region-gather", {kPool, study::kBlocksPerRegion});
  ServingLoop loop(preempting(), first_requests(150), *allocator);
  std::map<SequenceId, std::pair<std::uint64_t, std::vector<BlockId>>> seen;
  while (!loop.done()) {
    loop.begin_step();
    for (const auto& sequence : loop.running()) {
      auto& [version, table] = seen[sequence.id];
      if (version == sequence.table_version) {
        ASSERT_LE(table.size(), sequence.blocks.size());
        EXPECT_TRUE(std::equal(table.begin(), table.end(), sequence.blocks.begin()));
      }
      version = sequence.table_version;
      table = sequence.blocks;
    }
    loop.end_step();
  }
}

TEST(Gather, TheSameRequestsMoveTheSameBlocks) {
  const auto run = [] {
    const auto allocator = make_kv_allocator("region-gather", {kPool, study::kBlocksPerRegion});
    ServingLoop loop(preempting(), first_requests(100), *allocator);
    std::vector<BlockId> all;
    while (!loop.done()) {
      loop.begin_step();
      for (const auto& copy : loop.copies()) {
        all.insert(all.end(), {copy.source, copy.destination, copy.tokens});
      }
      loop.end_step();
    }
    return all;
  };
  const auto once = run();
  EXPECT_GT(once.size(), 1000U);
  EXPECT_EQ(run(), once);
}

}  // namespace
}  // namespace lockstep
