// Any operations in any order on a policy, against books kept naively beside it, and against a
// naive twin that must choose the same blocks.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "firmware/kv/allocator.h"
#include "tests/firmware/kv/naive_policies.h"

namespace lockstep {

class RandomOperations {
 public:
  static constexpr int kPool = 192;
  static constexpr int kRegion = 8;
  static constexpr int kScratch = 6;

  RandomOperations(std::string_view policy, std::uint64_t seed)
      : allocator_(make_kv_allocator(policy, {kPool, kRegion, seed})),
        naive_(naive_twin(policy, kPool, kRegion)),
        moves_(policy == "region-gather"),
        spans_(allocator_->traits().ownership == KvTraits::Ownership::kSpan),
        random_(seed) {}

  // False, with a failure on record, if the policy broke a rule.
  bool step() {
    ++steps_;
    switch (below(6)) {
      case 0:
        admit();
        break;
      case 1:
        append();
        break;
      case 2:
        if (below(steps_ / 500 % 2 == 0 ? 4 : 1) == 0) release();  // fills, then drains
        break;
      case 3:
        scratch();
        break;
      case 4:
        share_or_drop();
        break;
      case 5:
        rearrange();
        break;
    }
    check_books();
    return !testing::Test::HasFailure();
  }

  // Ends what lives; a run in which little was ever placed would have shown little.
  void release_all() {
    EXPECT_GT(allocated_, steps_ / 2);
    EXPECT_EQ(moved_ > steps_ / 20, moves_) << moved_ << " blocks moved";
    while (!live_.empty()) release();
    while (!extra_.empty()) drop_extra();
    check_books();
    EXPECT_EQ(owners_.size(), 0U);
  }

 private:
  struct Live {
    std::vector<BlockId> table;
    int final = 0;
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  std::map<SequenceId, Live>::iterator any() {
    return std::next(live_.begin(), below(static_cast<int>(live_.size())));
  }

  void admit() {
    const int now = 1 + below(20);
    const int final = now + below(20);
    const int counted = final + (spans_ ? kScratch : 0);
    const auto id = next_id_++;
    const auto blocks = allocator_->admit(id, now, counted);
    if (naive_) {
      EXPECT_EQ(blocks, naive_->admit(id, now, counted));
    }
    if (!blocks) return;
    EXPECT_EQ(blocks->size(), static_cast<std::size_t>(now));
    own(*blocks);
    live_[id] = {*blocks, final};
  }

  void append() {
    if (live_.empty()) return;
    auto& [id, sequence] = *any();
    if (static_cast<int>(sequence.table.size()) == sequence.final) return;
    const auto block = allocator_->append(id);
    if (naive_) {
      EXPECT_EQ(block, naive_->append(id));
    }
    if (!block) return;
    own({*block});
    sequence.table.push_back(*block);
  }

  void release() {
    if (live_.empty()) return;
    const auto found = any();
    auto table = found->second.table;
    allocator_->release(found->first, table);
    if (allocator_->traits().release_order == KvTraits::ReleaseOrder::kReverse) {
      std::reverse(table.begin(), table.end());
    }
    for (const auto block : table) disown(block);
    if (naive_) naive_->forget(found->first);
    live_.erase(found);
  }

  void scratch() {
    if (live_.empty()) return;
    const auto id = any()->first;
    const int count = 1 + below(kScratch);
    const auto blocks = allocator_->scratch(id, count);
    if (naive_) {
      EXPECT_EQ(blocks, naive_->scratch(id, count));
    }
    if (!blocks) return;
    own(*blocks);
    if (spans_ || below(2) == 0) {
      allocator_->unref(*blocks);
      for (const auto block : *blocks) disown(block);
    } else {
      extra_.insert(extra_.end(), blocks->begin(), blocks->end());
    }
  }

  // Another owner for a block, as a prefix cache is; it may outlive the sequence.
  void share_or_drop() {
    if (!spans_ && !live_.empty() && below(2) == 0) {
      const auto& table = any()->second.table;
      const auto block = table[static_cast<std::size_t>(below(static_cast<int>(table.size())))];
      allocator_->ref(block);
      ++owners_[block];
      extra_.push_back(block);
    }
    while (extra_.size() > static_cast<std::size_t>(below(40))) drop_extra();
  }

  // Moves keep what a sequence has: entry i of its table holds the same tokens elsewhere.
  void rearrange() {
    auto moved = allocator_->counts().moved;
    for (const auto& [id, source, destination] : allocator_->rearrange()) {
      ++moved;
      EXPECT_EQ(owners_[source], 1) << "block " << source << " is shared or nobody's";
      EXPECT_EQ(owners_.count(destination), 0U) << "block " << destination << " has an owner";
      auto& table = live_.at(id).table;
      const auto entry = std::find(table.begin(), table.end(), source);
      ASSERT_NE(entry, table.end()) << "block " << source << " is not of sequence " << id;
      *entry = destination;
      owners_.erase(source);
      owners_[destination] = 1;
    }
    EXPECT_EQ(allocator_->counts().moved, moved);
    moved_ = moved;
  }

  void drop_extra() {
    const auto at = extra_.begin() + below(static_cast<int>(extra_.size()));
    allocator_->unref(std::vector<BlockId>{*at});
    disown(*at);
    extra_.erase(at);
  }

  void own(const std::vector<BlockId>& blocks) {
    for (const auto block : blocks) {
      EXPECT_TRUE(0 <= block && block < kPool);
      EXPECT_EQ(owners_.count(block), 0U) << "block " << block << " has an owner";
      owners_[block] = 1;
      ++allocated_;
    }
  }

  void disown(BlockId block) {
    if (--owners_[block] > 0) return;
    owners_.erase(block);
    if (naive_) naive_->give(block);
  }

  void check_books() {
    const auto live = static_cast<std::int64_t>(owners_.size());
    EXPECT_EQ(allocator_->counts().allocated, allocated_);
    EXPECT_EQ(allocator_->counts().freed, allocated_ - live);
    EXPECT_EQ(live + allocator_->reserved_blocks() + allocator_->free_blocks(), kPool);
    const auto block = below(kPool);
    const auto owners = owners_.find(block);
    EXPECT_EQ(allocator_->refs(block), owners == owners_.end() ? 0 : owners->second);
  }

  std::unique_ptr<KvAllocator> allocator_;
  std::unique_ptr<NaivePolicy> naive_;
  bool moves_;
  bool spans_;
  std::mt19937_64 random_;
  int steps_ = 0;
  SequenceId next_id_ = 0;
  std::map<SequenceId, Live> live_;
  std::vector<BlockId> extra_;  // references beside the tables'
  std::map<BlockId, int> owners_;
  std::int64_t allocated_ = 0;
  std::int64_t moved_ = 0;
};

// `operations` on every policy of the table.
inline void run_random_operations(int operations, std::uint64_t seed) {
  for (const auto& policy : kv_policies()) {
    RandomOperations run(policy.name, seed);
    for (int step = 0; step < operations; ++step) {
      ASSERT_TRUE(run.step()) << policy.name << ", seed " << seed << ", step " << step;
    }
    run.release_all();
    ASSERT_FALSE(testing::Test::HasFailure()) << policy.name << ", seed " << seed << ", at the end";
  }
}

}  // namespace lockstep
