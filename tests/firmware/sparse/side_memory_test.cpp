// Memory beside K and V, against sums done by hand.
#include "firmware/sparse/side_memory.h"

#include <map>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

// 64K tokens in blocks of 16: 4096 blocks. 40 sparse layers of 8 KV heads x 128 fp16, group 4.
SparseConfig at_64k() {
  SparseConfig config;
  config.layers = 42;
  config.context_tokens = 65536;
  config.decode_tokens = 0;
  config.selector = {"quest", 16, 2048, 0, 1, 2, 0, Granularity::kKvHead};
  return config;
}

std::map<std::string_view, std::int64_t> bytes_of(const SparseConfig& config, double delta) {
  std::map<std::string_view, std::int64_t> bytes;
  for (const auto& part : side_memory(config, delta)) bytes[part.name] = part.bytes;
  return bytes;
}

TEST(SideMemory, OfQuest) {
  const auto bytes = bytes_of(at_64k(), 1.5);
  EXPECT_EQ(bytes.size(), 4U);
  EXPECT_EQ(bytes.at("summaries"), 40LL * 4096 * 4096) << "16 MiB a layer: 4 KiB a block";
  EXPECT_EQ(bytes.at("predictor"), 40LL * 8 * 4096 * 8) << "two numbers a block and head, 10 MiB";
  EXPECT_EQ(bytes.at("lists"), 8 * (190 + 1) * 4) << "1.5 x 127 blocks and the open one";
  EXPECT_EQ(bytes.at("partial_results"), 2 * 32 * 520) << "520 B a query head and pass";
}

TEST(SideMemory, GrowsWithTheBatchAndHoldsTheScoresOfALateMask) {
  auto config = at_64k();
  config.batch = 3;
  config.repair = RepairMode::kExactLatemask;
  const auto bytes = bytes_of(config, 1);
  EXPECT_EQ(bytes.at("kept_scores"), 3 * 32 * 2048 * 4) << "256 KiB a request at delta 1";
  EXPECT_EQ(bytes.at("predictor"), 3 * 40LL * 8 * 4096 * 8);
  EXPECT_EQ(bytes.at("summaries"), 3 * 40LL * 4096 * 4096);
}

TEST(SideMemory, HasOneListWhereTheHeadsOfALayerShareIt) {
  auto config = at_64k();
  config.selector.granularity = Granularity::kLayer;
  const auto bytes = bytes_of(config, 1.5);
  EXPECT_EQ(bytes.at("lists"), (190 + 1) * 4);
  EXPECT_EQ(bytes.at("predictor"), 40LL * 4096 * 8);
  EXPECT_EQ(bytes.at("summaries"), 40LL * 4096 * 4096) << "every head is scored";
}

// 1.5 x 127 blocks of the guess, the forced ones, and what was missed.
TEST(SideMemory, HoldsAPartialResultABlockWhereEachHasOne) {
  auto config = at_64k();
  config.repair = RepairMode::kExactPartials;
  EXPECT_EQ(bytes_of(config, 1.5).at("partial_results"), (190 + 2) * 32 * 520);
}

TEST(SideMemory, OfMeanKeys) {
  auto config = at_64k();
  config.selector = {"infllm2", 64, 6144, 1, 33, 2, 0, Granularity::kKvHead};
  config.shape.block_tokens = 64;
  const auto bytes = bytes_of(config, 1);
  EXPECT_EQ(bytes.at("summaries"), 40LL * 4095 * 2048) << "a mean of 32 tokens from each 16th on";
  EXPECT_EQ(bytes.at("predictor"), 40LL * 8 * 1024 * 8);
}

}  // namespace
}  // namespace lockstep
