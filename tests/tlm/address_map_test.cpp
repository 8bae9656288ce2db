// The three maps of the placement study, checked against addresses worked by hand, and the ways in
// which a field list can fail to be a permutation.
#include "tlm/contract/address_map.h"

#include <random>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

constexpr StackGeometry kStudy{};  // 32 pseudo channels x 16 banks x 16 Ki rows x 1 KiB = 8 GiB

AddressMap map_of(std::string_view text, const StackGeometry& geometry = kStudy) {
  auto parsed = AddressMap::parse(text, geometry);
  EXPECT_TRUE(std::holds_alternative<AddressMap>(parsed)) << std::get<std::string>(parsed);
  return std::get<AddressMap>(parsed);
}

std::string refusal_of(std::string_view text, const StackGeometry& geometry = kStudy) {
  const auto parsed = AddressMap::parse(text, geometry);
  return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "accepted";
}

TEST(AddressMap, HostCachelineKeepsA64ByteLineInOneBank) {
  const auto map = map_of("host-cacheline");
  EXPECT_EQ(map.decode(0x20), (Location{0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(map.decode(0x40), (Location{1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(map.decode(1 << 11), (Location{0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(map.decode(1 << 13), (Location{0, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(map.decode(1 << 15), (Location{0, 0, 0, 0, 0, 2, 0}));
  EXPECT_EQ(map.decode(1 << 19), (Location{0, 0, 0, 0, 1, 0, 0})) << "a row spans 512 KiB";
}

TEST(AddressMap, LastByteOfTheStackIsTheLastOfEveryCoordinate) {
  for (const auto& named : kAddressMaps) {
    const auto map = map_of(named.name);
    EXPECT_EQ(map.capacity(), 8ULL << 30);
    EXPECT_EQ(map.decode(map.capacity() - 1), (Location{31, 0, 3, 3, 16383, 31, 31}));
  }
}

TEST(AddressMap, PimFriendlyFillsARowOverAllBanksOfOneChannel) {
  const auto map = map_of("pim-friendly");
  EXPECT_EQ(map.decode(32), (Location{0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(map.decode(512), (Location{0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(map.decode(16 << 10), (Location{0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(map.decode(256 << 20), (Location{1, 0, 0, 0, 0, 0, 0}));
}

// 16 of 32 channels: the column bit above the banks comes down to where the channel bit was lost,
// so that 2 KiB stay in one bank of each channel: 128 B in each of 16, where it was 64 B in each
// of 32.
TEST(AddressMap, AHalfOfTheChannelsKeepsWhatTheyShareOutOfTheBanks) {
  StackGeometry half = kStudy;
  half.channels = 8;
  const auto part = map_of("host-cacheline").of_fewer_channels(1);
  const auto expected =
      map_of("row stack_id column[:2] bank_group bank channel[3:0] column[1:0] byte", half);
  ASSERT_EQ(part.address_bits(), expected.address_bits());
  for (int bit = 0; bit < part.address_bits(); ++bit) {
    const auto address = std::uint64_t{1} << bit;
    EXPECT_EQ(part.decode(address), expected.decode(address)) << "bit " << bit;
  }
  EXPECT_EQ(part.decode(1 << 11), (Location{0, 0, 0, 1, 0, 0, 0}));
}

TEST(AddressMap, WithoutAColumnBitAboveThemChannelsAreJustFewer) {
  for (const auto* name : {"host-centric", "pim-friendly"}) {
    const auto part = map_of(name).of_fewer_channels(2);
    const auto expected = map_of(name).without_top(Coordinate::kChannel, 2);
    EXPECT_EQ(part.capacity(), 2ULL << 30) << "a quarter of 8 GiB";
    for (int bit = 0; bit < part.address_bits(); ++bit) {
      const auto address = std::uint64_t{1} << bit;
      EXPECT_EQ(part.decode(address), expected.decode(address)) << name << " bit " << bit;
    }
  }
}

TEST(AddressMap, EveryBitGoesThereAndBack) {
  StackGeometry two_sids;
  two_sids.stack_ids = 2;
  std::mt19937_64 random(7);
  for (const auto& named : kAddressMaps) {
    const auto map = map_of(named.name, two_sids);
    for (int bit = 0; bit < map.address_bits(); ++bit) {
      const auto address = std::uint64_t{1} << bit;
      EXPECT_EQ(map.encode(map.decode(address)), address) << named.name << " bit " << bit;
    }
    for (int i = 0; i < 1000; ++i) {
      const auto address = random() % map.capacity();
      ASSERT_EQ(map.encode(map.decode(address)), address) << named.name << " seed 7, step " << i;
    }
  }
}

TEST(AddressMap, MaskNamesTheBitsOfACoordinate) {
  EXPECT_EQ(map_of("host-cacheline").mask(Coordinate::kChannel), 0x7C0U);
}

TEST(AddressMap, RefusesWhatIsNoPermutation) {
  EXPECT_EQ(refusal_of("row bank_group bank channel column[4:1] byte"),
            "bit 0 of `column` is missing");
  EXPECT_EQ(refusal_of("row bank_group bank bank channel column byte"),
            "bit 0 of `bank` is used 2 times");
  EXPECT_EQ(refusal_of("row rank column"), "no such field or bits: `rank`");
  EXPECT_EQ(refusal_of("row column[5:1]"), "no such field or bits: `column[5:1]`");
  EXPECT_EQ(refusal_of(""), "bit 0 of `channel` is missing");
}

TEST(AddressMap, RefusesAGeometryThatIsNoPowerOfTwo) {
  StackGeometry geometry;
  geometry.banks = 3;
  EXPECT_EQ(refusal_of("host-cacheline", geometry),
            "an address map needs a power of two of each coordinate, but `bank` has 3");
}

}  // namespace
}  // namespace lockstep
