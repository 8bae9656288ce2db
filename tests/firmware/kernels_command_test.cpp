// Small lists of bursts worked by hand: what a window costs, in which order its rows are visited,
// where a command in order ends.
#include <gtest/gtest.h>

#include "firmware/kernels/command_stream.h"

namespace lockstep {
namespace {

constexpr Burst kOrigin{};

struct Formed {
  std::int64_t commands, misses;
  RowVisits visits;
};

template <typename Commands>
Formed form(Commands commands, const std::vector<Burst>& bursts) {
  commands.push(kOrigin, bursts);
  commands.settle();
  EXPECT_EQ(commands.counts().bursts, static_cast<std::int64_t>(bursts.size()));
  return {commands.counts().commands, commands.counts().misses, commands.visits()};
}

Formed windows_of(int size, const std::vector<Burst>& bursts) {
  return form(WindowedCommands(4, size), bursts);
}

Formed in_order(const std::vector<Burst>& bursts) {
  return form(InOrderCommands(4), bursts);
}

// Bursts are {bank, row, column}.
TEST(WindowedCommands, ARowTakesAsManyCommandsAsItsBusiestBank) {
  const auto formed = windows_of(8, {{0, 7, 3}, {1, 7, 5}, {0, 7, 4}, {0, 7, 2}, {2, 7, 9}});
  EXPECT_EQ(formed.commands, 3);
  EXPECT_EQ(formed.misses, 1);
  EXPECT_EQ(formed.visits, (RowVisits{{7, 3, 3}})) << "lowest of {3, 5, 9}, not the later 2";
}

TEST(WindowedCommands, RowsAreVisitedByFirstAppearanceAndTheLastBurstsRowLast) {
  const auto formed = windows_of(8, {{0, 5, 0}, {0, 6, 0}, {0, 7, 0}, {1, 5, 0}});
  EXPECT_EQ(formed.misses, 3);
  EXPECT_EQ(formed.visits, (RowVisits{{6, 0, 1}, {7, 0, 1}, {5, 0, 1}}));
}

TEST(WindowedCommands, TheOpenRowIsVisitedFirstMergesAndCostsNoMiss) {
  // Windows {5 5 | 6 5 7 7 …}: row 5 is open, so its visit lengthens the one before.
  const auto formed = windows_of(2, {{0, 5, 0}, {1, 5, 0}, {0, 6, 1}, {0, 5, 1}});
  EXPECT_EQ(formed.commands, 3);
  EXPECT_EQ(formed.misses, 2) << "5, then 6; 5 was left open";
  EXPECT_EQ(formed.visits, (RowVisits{{5, 0, 2}, {6, 1, 1}}));
}

TEST(WindowedCommands, TheScoreCarriesTheLastBurstsRowEvenWhereTheVisitsEndOnAnother) {
  // The second window ends on 5, which it also began with: the visits end on 6, the score on 5.
  const std::vector<Burst> bursts = {{0, 5, 0}, {1, 5, 0}, {0, 6, 1}, {0, 5, 1},
                                     {0, 6, 2}, {0, 6, 3}, {0, 5, 2}, {0, 5, 3}};
  const auto formed = windows_of(2, bursts);
  EXPECT_EQ(formed.misses, 4) << "5 | 6 | 6 | 5";
  EXPECT_EQ(formed.visits, (RowVisits{{5, 0, 2}, {6, 1, 3}, {5, 2, 2}})) << "one row change less";
}

TEST(WindowedCommands, APartialWindowCountsAsItStands) {
  WindowedCommands commands(4, 4);
  const std::vector<Burst> first = {{0, 5, 0}, {1, 5, 0}, {2, 5, 0}, {3, 5, 0}, {0, 5, 1}};
  commands.push(kOrigin, first);
  commands.settle();
  EXPECT_EQ(commands.visits(), (RowVisits{{5, 0, 2}}));
  const std::vector<Burst> second = {{1, 5, 1}, {0, 6, 0}};
  commands.push(kOrigin, second);
  commands.settle();
  EXPECT_EQ(commands.visits(), (RowVisits{{5, 0, 2}, {6, 0, 1}})) << "column 1 is one command";
  EXPECT_EQ(commands.counts().commands, 3);
}

TEST(InOrderCommands, ACommandEndsWhereTheRowChangesOrABankRepeats) {
  const auto formed = in_order({{0, 5, 4}, {1, 5, 3}, {1, 5, 5}, {2, 5, 1}, {2, 6, 0}, {3, 5, 0}});
  EXPECT_EQ(formed.commands, 4);
  EXPECT_EQ(formed.misses, 3);
  EXPECT_EQ(formed.visits, (RowVisits{{5, 3, 2}, {6, 0, 1}, {5, 0, 1}}));
}

TEST(InOrderCommands, AFullCommandEndsToo) {
  const auto formed =
      in_order({{0, 5, 0}, {1, 5, 0}, {2, 5, 0}, {3, 5, 0}, {3, 5, 1}, {2, 5, 1}, {1, 5, 1}});
  EXPECT_EQ(formed.commands, 2);
  EXPECT_EQ(formed.misses, 1);
}

}  // namespace
}  // namespace lockstep
