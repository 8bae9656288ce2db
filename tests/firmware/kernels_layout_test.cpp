// Which channels form a class, by the bits of the study's maps, and what a layout refuses.
#include <string>

#include <gtest/gtest.h>

#include "firmware/kernels/kv_layout.h"
#include "tests/firmware/kernels_plain_walk.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct ClassCase {
  std::string_view map;
  std::int64_t kv_bytes_per_token;
  std::size_t classes;  // 2^(channel bits at or above log2 of the granule)
};

constexpr ClassCase kClassCases[] = {
    {"host-cacheline", 4096, 1},        // channel bits 6..10, granule 2^12
    {"host-cacheline", 16384, 1},       // 2^14
    {"host-cacheline", 2048, 1},        // 2^11
    {"host-cacheline", 512, 4},         // 2^9: bits 9 and 10 are open
    {"host-cacheline", 6144, 1},        // 3 x 2^11
    {"host-cacheline", 4096 + 32, 32},  // 129 x 2^5
    {"host-centric", 4096, 8},          // channel bits 10..14
    {"host-centric", 16384, 2},        {"host-centric", 512, 32},
    {"pim-friendly", 16384, 32},  // channel bits 28..32
};

TEST(KvLayout, ClassesAreSplitByTheChannelBitsOutsideAGranule) {
  for (const auto& expected : kClassCases) {
    for (const std::int64_t block_tokens : {1, 7, 16}) {
      const KvLayout layout(study_map(expected.map), kStudyStack,
                            {block_tokens, expected.kv_bytes_per_token});
      EXPECT_EQ(layout.classes().size(), expected.classes)
          << expected.map << ", " << expected.kv_bytes_per_token << " B a token";
    }
  }
}

TEST(KvLayout, EveryChannelIsInOneClassBehindItsLowestMember) {
  for (const auto& expected : kClassCases) {
    const KvLayout layout(study_map(expected.map), kStudyStack, {16, expected.kv_bytes_per_token});
    std::set<int> seen;
    for (const auto& channel_class : layout.classes()) {
      EXPECT_EQ(channel_class.representative, channel_class.members.front());
      EXPECT_TRUE(std::is_sorted(channel_class.members.begin(), channel_class.members.end()));
      seen.insert(channel_class.members.begin(), channel_class.members.end());
      EXPECT_EQ(channel_class.members.size() * expected.classes, 32U);
    }
    EXPECT_EQ(seen.size(), 32U);
  }
}

TEST(KvLayout, MqaUnderHostCachelineHasFourClassesOfEightNeighbours) {
  const KvLayout layout(study_map("host-cacheline"), kStudyStack, {16, 512});
  EXPECT_EQ(layout.classes()[1].representative, 8);
  EXPECT_EQ(layout.classes()[1].members, (std::vector<int>{8, 9, 10, 11, 12, 13, 14, 15}));
}

std::string refusal_of(std::string_view map, const KvShape& shape) {
  try {
    const KvLayout layout(study_map(map), kStudyStack, shape);
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(KvLayout, RefusesWhatIsNoWholeNumberOfColumnsOrDoesNotFit) {
  EXPECT_EQ(refusal_of("host-cacheline", {16, 1000}),
            "a token must fill whole columns of 32 B, but kv_bytes_per_token is 1000");
  EXPECT_EQ(refusal_of("host-cacheline", {16, 0}),
            "a token must fill whole columns of 32 B, but kv_bytes_per_token is 0");
  EXPECT_EQ(refusal_of("host-cacheline", {0, 4096}),
            "a block must hold at least 1 token, but block_tokens is 0");
  EXPECT_EQ(refusal_of("host-cacheline", {1'000'000'000'000'000'000, 4096}),
            "a block of 1000000000000000000 tokens x 4096 B does not fit into the stack of "
            "8589934592 B");
  EXPECT_EQ(refusal_of("row bank_group bank channel column[4:1] byte column[0]", {16, 4096}),
            "an address map must end with `byte`, so that a column is contiguous");
  EXPECT_EQ(refusal_of("host-cacheline", {2097152, 4096}), "accepted") << "the whole stack";
}

TEST(KvLayout, ABlockOutsideTheStackIsOurBug) {
  const KvLayout layout(study_map("host-cacheline"), kStudyStack, {16, 4096});
  EXPECT_EQ(layout.blocks_in_stack(), 131072);  // 8 GiB / 64 KiB
  const Reorder in_order{ReorderMode::kInOrder, 0};
  EXPECT_NO_THROW(visits_of(layout, in_order, std::vector<BlockId>{131071}, 16));
  EXPECT_THROW(visits_of(layout, in_order, std::vector<BlockId>{131072}, 1), InternalError);
  EXPECT_THROW(visits_of(layout, in_order, std::vector<BlockId>{-1}, 1), InternalError);
}

}  // namespace
}  // namespace lockstep
