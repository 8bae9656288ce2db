// Where elements of K and V lie, against the address map decoded element by element.
#include "firmware/attention/kv_tensor_map.h"

#include <set>

#include <gtest/gtest.h>

#include "firmware/attention/kv_pools.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/mac_unit.h"

namespace lockstep {
namespace {

constexpr const char* kChannelScope =
    "row column[:2] stack_id bank_group bank channel[0] channel[:1] column[1] column[0] byte";

struct MapCase {
  const char* map;
  int channels_per_domain;
  int kv_heads;
  int head_dim;
  KvElement element;
  KvTensorLayout layout;
};

StackGeometry geometry() {
  return {};
}

AddressMap map_of(const char* text) {
  return std::get<AddressMap>(AddressMap::parse(text, geometry()));
}

KvTensorMap tensor_map(const MapCase& c) {
  return {map_of(c.map),
          geometry(),
          c.channels_per_domain,
          {c.kv_heads, c.head_dim, c.element, 16, c.layout}};
}

class KvTensorMapOf : public testing::TestWithParam<MapCase> {};

// Every 16-dim slice of every head of a token is found in the domain, bank, row, column and beat
// that the decoded address of its first element names, and in no second one.
TEST_P(KvTensorMapOf, EveryElementLiesWhereItsAddressIsDecoded) {
  const auto& c = GetParam();
  const auto map = tensor_map(c);
  const auto raw = map_of(c.map);
  const KvTensorShape& shape = map.shape();
  const int slices = shape.head_dim / kMacLanes;
  for (const auto tensor : {KvTensor::kKey, KvTensor::kValue}) {
    for (const BlockId block : {0, 1, 5, 37}) {
      for (int token = 0; token < shape.block_tokens; ++token) {
        const auto place = map.place(tensor, block, token);
        std::set<int> seen;
        for (const auto& domain : map.domains(place.channel_class)) {
          for (int local = 0; local < map.local_heads(); ++local) {
            for (int part = 0; part < map.parts(); ++part) {
              for (int beat = 0; beat < map.beats(); ++beat) {
                const int head = map.head(domain, local);
                const int slice = map.slice(domain.head_channel, part, beat);
                EXPECT_TRUE(seen.insert(head * slices + slice).second);
                const auto at = raw.decode(
                    map.offset(tensor, block, token) +
                    static_cast<std::uint64_t>(head * shape.head_bytes() +
                                               slice * kMacLanes * shape.element_bytes()));
                EXPECT_EQ(at.channel / c.channels_per_domain, domain.domain);
                EXPECT_EQ(at.row, place.row);
                EXPECT_EQ(at.column, place.column | map.head_column(local) | map.part_column(part));
                EXPECT_EQ(at.byte, beat * kMacLanes * shape.element_bytes());
                EXPECT_EQ(((at.channel % c.channels_per_domain) * 4 + at.bank_group) * 4 + at.bank,
                          place.bank);
              }
            }
          }
        }
        EXPECT_EQ(static_cast<int>(seen.size()), shape.kv_heads * slices);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, KvTensorMapOf,
    testing::Values(
        MapCase{"host-cacheline", 1, 8, 128, KvElement::kFp16, KvTensorLayout::kSplit},
        MapCase{"host-cacheline", 1, 8, 128, KvElement::kFp16, KvTensorLayout::kInterleaved},
        MapCase{"host-cacheline", 1, 8, 128, KvElement::kInt8, KvTensorLayout::kSplit},
        MapCase{"host-cacheline", 1, 1, 64, KvElement::kBf16, KvTensorLayout::kSplit},
        MapCase{"host-cacheline", 1, 4, 64, KvElement::kFp8E4m3, KvTensorLayout::kSplit},
        MapCase{"host-centric", 1, 8, 128, KvElement::kFp16, KvTensorLayout::kSplit},
        MapCase{"host-centric", 1, 2, 64, KvElement::kInt8, KvTensorLayout::kSplit},
        MapCase{kChannelScope, 2, 8, 128, KvElement::kFp16, KvTensorLayout::kSplit},
        MapCase{kChannelScope, 2, 4, 128, KvElement::kFp8E5m2, KvTensorLayout::kSplit}));

template <typename Error>
std::string refusal(const MapCase& c) {
  try {
    tensor_map(c);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(KvTensorMap, RefusesWhatNoBroadcastServesAndSaysWhy) {
  const MapCase good{"host-cacheline", 1, 8, 128, KvElement::kFp16, KvTensorLayout::kSplit};
  auto c = good;
  c.layout = KvTensorLayout::kVllmX;
  EXPECT_NE(refusal<Unsupported>(c).find("8 dims of 2 tokens"), std::string::npos);
  c = good;
  c.channels_per_domain = 2;
  EXPECT_NE(refusal<Unsupported>(c).find("pseudo channel 1 bank group 0 bank 0 needs dims 32..47"),
            std::string::npos);
  c = good;
  c.map = "pim-friendly";
  EXPECT_NE(refusal<Unsupported>(c).find("the row above all other bits"), std::string::npos);
  c = good;
  c.kv_heads = 6;
  EXPECT_NE(refusal<Unsupported>(c).find("different query slices"), std::string::npos);
  c = good;
  c.layout = KvTensorLayout::kInterleaved;
  c.kv_heads = 4;
  EXPECT_NE(refusal<Unsupported>(c).find("different lockstep domains"), std::string::npos);
  c = good;
  c.head_dim = 24;
  EXPECT_NE(refusal<InputError>(c).find("must fill whole columns"), std::string::npos);
}

// Every token of every pool has bytes of its own.
TEST(KvPools, OfLayersAndTensorsNeverOverlap) {
  const auto map =
      tensor_map({"host-cacheline", 1, 8, 128, KvElement::kFp16, KvTensorLayout::kSplit});
  const KvPools pools(map, 3, 20);
  std::set<std::uint64_t> addresses;
  std::size_t tokens = 0;
  for (int layer = 0; layer < 3; ++layer) {
    for (const auto tensor : {KvTensor::kKey, KvTensor::kValue}) {
      for (BlockId block = 0; block < 20; ++block) {
        for (int token = 0; token < 16; ++token, ++tokens) {
          const auto address = pools.address(layer, tensor, block, token);
          EXPECT_EQ(address % 2048, 0U);
          addresses.insert(address);
        }
      }
    }
  }
  EXPECT_EQ(addresses.size(), tokens);
}

TEST(KvPools, WriteEachTokenOfKAndVOnce) {
  const auto map =
      tensor_map({"host-cacheline", 1, 8, 128, KvElement::kFp16, KvTensorLayout::kSplit});
  const KvPools pools(map, 1, 8);
  const std::vector<BlockId> blocks = {3, 0, 7};
  std::vector<HostAccess> writes;
  pools.append_writes(0, blocks, 5, 40, writes);
  std::int64_t bytes = 0;
  for (const auto& write : writes) bytes += write.bytes;
  EXPECT_EQ(bytes, 2 * 35 * 2048);
  EXPECT_EQ(writes.size(), 6U);  // three pieces of blocks, K and V
  EXPECT_EQ(writes[0].address, pools.address(0, KvTensor::kKey, 3, 5));
}

}  // namespace
}  // namespace lockstep
