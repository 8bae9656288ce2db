// Repair modes on banks that compute, as `lockstep verify dsa` runs them.
#include <gtest/gtest.h>

#include "sim/run/run_config.h"
#include "sim/sparse/verify_sparse.h"

namespace lockstep {
namespace {

TEST(VerifySparse, EveryModeEqualsWhatItPromisesInTwoHundredCases) {
  const auto base = load_stack_config({LOCKSTEP_SOURCE_DIR "/configs/hbm3-5.2gbps.yaml", {}, {}});
  const auto summary = verify_sparse(base, {200, 3});
  for (const auto& failure : summary.failures) ADD_FAILURE() << failure;
  EXPECT_EQ(summary.failed, 0);
  EXPECT_GT(summary.open_blocks, 100) << "lengths that do not fill a block";
  for (const double worst : summary.worst) EXPECT_GT(worst, 0) << "nothing was compared";
}

// Lists of all kinds come: the modes differ only where P is not A.
TEST(VerifySparse, CasesHoldEmptyEqualAndDisjointLists) {
  int empty = 0;
  int equal = 0;
  int disjoint = 0;
  for (int index = 0; index < 50; ++index) {
    for (const auto& lists : make_sparse_case(3, index).lists) {
      if (lists.selected.empty()) continue;
      empty += lists.predicted.empty() ? 1 : 0;
      equal += lists.predicted == lists.selected ? 1 : 0;
      disjoint += !lists.predicted.empty() && count_common(lists.predicted, lists.selected) == 0;
    }
  }
  EXPECT_GT(empty, 20);
  EXPECT_GT(equal, 20);
  EXPECT_GT(disjoint, 20);
}

}  // namespace
}  // namespace lockstep
