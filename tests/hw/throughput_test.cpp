// Bandwidth of ordinary reads on one pseudo channel: a column every nBL clocks is the peak.
#include <gtest/gtest.h>

#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {
namespace {

// Reads that walk the columns of a row in all four bank groups, then the next bank, then the next
// row: as the host-centric order does. Returns the fraction of clocks with data.
double streamed(ControllerConfig config, int reads) {
  config.age_limit = {1'000'000'000};  // all are offered at once, and wait long for their turn
  ChannelController controller(config);
  for (int i = 0; i < reads; ++i) {
    const BankAddress at{0, 0, i % 4, i / 128 % 4};
    controller.push(read_request(static_cast<std::uint64_t>(i), at, i / 512));
  }
  const auto completions = drain(controller);
  return 2.0 * reads / static_cast<double>(completions.back().when.count);
}

TEST(Throughput, StreamedReadsReach98PercentOfThePeak) {
  EXPECT_GE(streamed(controller_5200(), 20'000), 0.98);
}

TEST(Throughput, RefreshTakesItsTimeAndLittleMore) {
  auto config = controller_5200();
  config.refresh.mode = RefreshMode::kAllBank;
  const double without = streamed(controller_5200(), 20'000);
  const double with = streamed(config, 20'000);
  const double refreshing = 456.0 / 5070;
  EXPECT_LE(with, without * (1 - refreshing));
  // Beside nRFC itself: the open rows close (nRTP 8 + nRP 19, four banks on one row bus) and open
  // again (nRCD 19, four banks nRRDS apart) in every interval.
  const double reopening = (8.0 + 3 + 19 + 19 + 3 * 2) / 5070;
  EXPECT_GE(with, without * (1 - refreshing - reopening));
}

TEST(Throughput, OneBankOfRowHitsRunsAtNccdl) {
  ChannelController controller(controller_5200());
  for (std::uint64_t id = 0; id < 1000; ++id) controller.push(read_request(id, {}, 3));
  EXPECT_EQ(drain(controller).back().when.count, 20 + 4 * 999 + 21);
}

}  // namespace
}  // namespace lockstep
