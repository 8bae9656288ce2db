// How the queries of a GQA group share the bank units.
#include "firmware/attention/query_split.h"

#include <gtest/gtest.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

TEST(QuerySplit, ColumnsAreReadOncePerQueriesServed) {
  for (int group = 1; group <= 16; ++group) {
    for (int served = 1; served <= 8; ++served) {
      const auto groups = split_queries(group, 2, {served, 8, 2});
      int queries = 0;
      for (const auto& one : groups) {
        EXPECT_EQ(one.first, queries);
        EXPECT_EQ(one.repeats, (one.queries + served - 1) / served);
        EXPECT_LE(one.queries, 8);
        queries += one.queries;
      }
      EXPECT_EQ(queries, group);
      EXPECT_EQ(groups.size(), group > 8 ? 2U : 1U);
    }
  }
}

// Twelve queries, three served at once, in passes of eight and four: three and two accesses.
TEST(QuerySplit, RepeatsOfAColumnAreAccessesOfAllPassesByBeats) {
  const auto passes = split_queries(12, 2, {3, 8, 2});
  EXPECT_EQ(repeats_of_a_column(passes, 1), 5);
  EXPECT_EQ(repeats_of_a_column(passes, 2), 10);
}

TEST(QuerySplit, SetsOfLanesLimitTheQueriesOfAPass) {
  EXPECT_EQ(split_queries(8, 4, {1, 8, 2})[0].queries, 4);  // 16 sets, 4 a query
  EXPECT_EQ(split_queries(8, 16, {1, 8, 2})[0].queries, 1);
  EXPECT_THROW(split_queries(8, 17, {1, 8, 2}), Unsupported);
}

}  // namespace
}  // namespace lockstep
