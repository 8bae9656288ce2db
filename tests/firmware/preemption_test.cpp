// Placement under preemption, in cycles: gathering on the first requests of the study's stream.
#include <gtest/gtest.h>

#include "tests/firmware/preemption_study.h"

namespace lockstep {
namespace {

// The study's region policy fell to M1 0.860 and a gain of 1.38 over paged at this headroom.
TEST(Preemption, GatheringKeepsTheRowsThatTheRegionPolicyLoses) {
  auto requests = study::requests("requests_steady500_seed0.csv");
  requests.resize(150);
  const auto stack = study::stack();
  const auto run = [&](std::string_view policy) {
    return study::run_preempted(stack, kv_policy(policy), 0.6, requests);
  };
  const auto paged = run("paged-lifo");
  const auto region = run("region");
  const auto gather = run("region-gather");
  EXPECT_LT(*region.decode.m1.mean(), 0.93);
  EXPECT_GE(*gather.decode.m1.mean(), 0.93);
  EXPECT_GT(region.gbps, paged.gbps);
  EXPECT_GT(gather.gbps, region.gbps);
  EXPECT_LT(gather.milliseconds, region.milliseconds);
  EXPECT_EQ(gather.decode.serving.steps, region.decode.serving.steps);
  EXPECT_GT(gather.decode.serving.preemptions, 0);
  EXPECT_GT(gather.decode.copy_time, Cycles{0});
}

}  // namespace
}  // namespace lockstep
