// The roofline of the processor, by hand.
#include "firmware/attention/xpu.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

// 100 TFLOP/s, 1 TB/s: 100 operations a byte.
const Xpu kXpu{"round numbers", 100, 1000, 1, 1, 2};
const LayerShape kLlama3Of8B{4096, 32, 8, 128, 14336, 3, 2};

// One sequence reads the weights once: 4096 x 6144 x 2 B = 50,331,648 B, and 2 x (4096 + 6144) B of
// activations, at 1,000 B a nanosecond; a launch is 2,000 ns.
TEST(Xpu, ASmallBatchTakesTheTimeOfItsBytes) {
  EXPECT_DOUBLE_EQ(stage_ns(kXpu, kLlama3Of8B, XpuStage::kQkv, 1), 50'352.128 + 2000);
  EXPECT_DOUBLE_EQ(stage_ns(kXpu, kLlama3Of8B, XpuStage::kProjection, 1),
                   2 * (4096 * 4096 + 2 * 4096) / 1000.0 + 2000);
  EXPECT_DOUBLE_EQ(stage_ns(kXpu, kLlama3Of8B, XpuStage::kFfn, 1),
                   2 * (3.0 * 4096 * 14336 + 2 * 4096) / 1000.0 + 2000);
}

// 2 x 1,000 x 4096 x 6144 operations at 100,000 a nanosecond.
TEST(Xpu, ALargeBatchTakesTheTimeOfItsOperations) {
  EXPECT_DOUBLE_EQ(stage_ns(kXpu, kLlama3Of8B, XpuStage::kQkv, 1000),
                   2.0 * 1000 * 4096 * 6144 / 100'000 + 2000);
}

TEST(Xpu, NothingTakesNoTime) {
  EXPECT_EQ(stage_ns(kXpu, kLlama3Of8B, XpuStage::kFfn, 0), 0);
}

}  // namespace
}  // namespace lockstep
