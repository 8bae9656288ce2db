// Steps on two resources, timed by hand.
#include "firmware/attention/step_timeline.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(StepTimeline, OneBatchLeavesOneSideWaiting) {
  const auto step = compose_step({{2, 5, 3}}, 4);
  EXPECT_DOUBLE_EQ(step.total_ns, 4 * (2 + 5 + 3));
  EXPECT_DOUBLE_EQ(step.exposed_pim_ns, 20);
  EXPECT_DOUBLE_EQ(step.exposed_xpu_ns, 20);
  EXPECT_DOUBLE_EQ(step.hidden_pim_ns(), 0);
}

// Processor: A0 at 0..2, B0 at 2..4, A1 (after + before) at 7..12, B1 at 12..17, then the last
// `after` 3 each. Stack: A 2..7, B 7..12, A 12..17, B 17..22. A ends 17..20, B 22..25.
TEST(StepTimeline, TwoSubBatchesHideEachOther) {
  const auto step = compose_step({{2, 5, 3}, {2, 5, 3}}, 2);
  EXPECT_DOUBLE_EQ(step.total_ns, 25);
  EXPECT_DOUBLE_EQ(step.pim_busy_ns, 20);
  EXPECT_DOUBLE_EQ(step.xpu_busy_ns, 20);
  EXPECT_DOUBLE_EQ(step.exposed_pim_ns, 5);
  EXPECT_DOUBLE_EQ(step.exposed_xpu_ns, 5);
  EXPECT_DOUBLE_EQ(step.hidden_pim_ns(), 15);
}

}  // namespace
}  // namespace lockstep
