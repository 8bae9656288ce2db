// Where the parts of a token lie when heads are split over channel groups, and what copies read and
// write.
#include <set>

#include <gtest/gtest.h>

#include "firmware/decode/kv_memory.h"
#include "firmware/decode/table_structure.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr StackGeometry kStack{};
constexpr KvShape kGqa{16, 4096};

AddressMap map_of(std::string_view name) {
  return std::get<AddressMap>(AddressMap::parse(name, kStack));
}

KvMemory memory(std::string_view map, int groups, int channels_per_domain = 1) {
  return {map_of(map), {kStack, kGqa, groups, channels_per_domain}};
}

TEST(KvMemory, GivesEachGroupItsShareOfChannelsAndOfAToken) {
  for (const int groups : {1, 2, 4, 8}) {
    const auto split = memory("host-cacheline", groups);
    EXPECT_EQ(split.layout().geometry().flat_channels(), 32 / groups);
    EXPECT_EQ(split.layout().shape().kv_bytes_per_token, 4096 / groups);
    EXPECT_EQ(split.shape().kv_bytes_per_token, 4096);
    std::set<int> domains;
    for (std::size_t c = 0; c < split.layout().classes().size(); ++c) {
      domains.insert(split.domains(c).begin(), split.domains(c).end());
    }
    EXPECT_EQ(domains.size(), 32U) << "every channel reads in " << groups << " groups";
  }
}

TEST(KvMemory, RefusesGroupsThatDoNotDivide) {
  const auto message = [](int groups, KvShape shape) -> std::string {
    try {
      KvMemory(map_of("host-cacheline"), {kStack, shape, groups, 1});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(3, kGqa), "channel groups must be a power of two, got 3");
  EXPECT_EQ(message(32, kGqa), "32 channel groups do not divide 16 channels");
}

// Tokens 3 … 7 of block 2, 4 KiB each, to the same place of block 9.
constexpr BlockCopy kCopy{BlockCopy::Reason::kCopyOnWrite, 2, 9, 3, 5};

TEST(KvMemory, CopiesAreOneReadAndOneWriteWhereBlocksAreContiguous) {
  CopyAccesses accesses;
  memory("host-cacheline", 1).append(kCopy, accesses);
  ASSERT_EQ(accesses.reads.size(), 1U);
  ASSERT_EQ(accesses.writes.size(), 1U);
  EXPECT_EQ(accesses.reads[0].kind, AccessKind::kRead);
  EXPECT_EQ(accesses.reads[0].address, 2U * 65536 + 3 * 4096);
  EXPECT_EQ(accesses.reads[0].bytes, 5 * 4096);
  EXPECT_EQ(accesses.writes[0].kind, AccessKind::kWrite);
  EXPECT_EQ(accesses.writes[0].address, 9U * 65536 + 3 * 4096);
  EXPECT_EQ(accesses.writes[0].bytes, 5 * 4096);
}

// Under any map and split, the columns that a copy reads are those that the passes of these tokens
// read, in each group's own channels.
TEST(KvMemory, CopiesReadTheColumnsOfTheirTokensInEveryGroup) {
  for (const char* name : {"host-cacheline", "host-centric", "pim-friendly"}) {
    for (const int groups : {2, 4, 8}) {
      const auto split = memory(name, groups);
      CopyAccesses accesses;
      split.append(kCopy, accesses);
      const auto map = map_of(name);
      std::set<std::tuple<int, int, int, int, int>> read;
      std::int64_t bytes = 0;
      for (const auto& access : accesses.reads) {
        bytes += access.bytes;
        for (std::int64_t at = 0; at < access.bytes; at += kStack.column_bytes) {
          const auto l = map.decode(access.address + static_cast<std::uint64_t>(at));
          read.insert({l.channel, l.bank_group, l.bank, l.row, l.column});
        }
      }
      EXPECT_EQ(bytes, 5 * 4096) << name;
      std::set<std::tuple<int, int, int, int, int>> expected;
      const auto& part = split.layout();
      const auto first = (2 * 16 + 3) * part.shape().kv_bytes_per_token;
      for (std::int64_t at = 0; at < 5 * part.shape().kv_bytes_per_token; at += 32) {
        const auto l = part.map().decode(static_cast<std::uint64_t>(first + at));
        for (int g = 0; g < groups; ++g) {
          expected.insert({l.channel + g * 32 / groups, l.bank_group, l.bank, l.row, l.column});
        }
      }
      EXPECT_EQ(read, expected) << name << ", " << groups << " groups";
    }
  }
}

TEST(TableStructure, CountsRegionsOverTheLeastAndNeighbours) {
  TableStructure structure(64, 8);
  const std::vector<BlockId> packed = {8, 9, 10, 11, 12, 13, 14, 15, 40};
  EXPECT_DOUBLE_EQ(structure.region_spread(packed), 1.0);
  EXPECT_DOUBLE_EQ(adjacency(packed), 7.0 / 8);
  const std::vector<BlockId> scattered = {0, 8, 16, 24};
  EXPECT_DOUBLE_EQ(structure.region_spread(scattered), 4.0);
  EXPECT_DOUBLE_EQ(adjacency(scattered), 0.0);
  EXPECT_DOUBLE_EQ(structure.region_spread(packed), 1.0) << "tables do not count for one another";
}

}  // namespace
}  // namespace lockstep
