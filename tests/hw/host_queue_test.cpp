// Order of host requests: FR-FCFS within the window, first come first served beyond it, and no
// request starves. All banks belong to one pseudo channel at 5.2 Gb/s.
#include <gtest/gtest.h>

#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {
namespace {

constexpr BankAddress kBank0{0, 0, 0, 0};
constexpr BankAddress kGroup1{0, 0, 1, 0};
using Ids = std::vector<std::uint64_t>;

ControllerConfig with_window(int window) {
  auto config = controller_5200();
  config.host_window = window;
  return config;
}

TEST(HostQueue, ServesAHitBeforeAnOlderConflict) {
  ChannelController controller(with_window(32));
  controller.push(read_request(0, kBank0, 1));
  controller.push(read_request(1, kBank0, 2));
  controller.push(read_request(2, kBank0, 1));
  EXPECT_EQ(ids_of(drain(controller)), (Ids{0, 2, 1}));
  EXPECT_EQ(controller.stats().host_row_hits, 1);
  EXPECT_EQ(controller.stats().host_row_misses, 1);
  EXPECT_EQ(controller.stats().host_row_conflicts, 1);
}

TEST(HostQueue, WithAWindowOfOneServesInOrder) {
  ChannelController controller(with_window(1));
  for (std::uint64_t id = 0; id < 100; ++id) {
    controller.push(read_request(id, kBank0, static_cast<std::int32_t>(id * 7 % 3)));
  }
  Ids in_order(100);
  for (std::uint64_t id = 0; id < 100; ++id) in_order[id] = id;
  EXPECT_EQ(ids_of(drain(controller)), in_order);
}

// Row 1 is opened by the first request; `between` requests for row 2 stand before another for it.
Ids order_with(int between) {
  ChannelController controller(with_window(32));
  controller.push(read_request(0, kBank0, 1));
  for (int i = 1; i <= between; ++i) {
    controller.push(read_request(static_cast<std::uint64_t>(i), kBank0, 2));
  }
  controller.push(read_request(99, kBank0, 1));
  return ids_of(drain(controller));
}

TEST(HostQueue, LooksAtThe32ndRequestAndNeverAtThe33rd) {
  EXPECT_EQ(order_with(31)[1], 99U) << "after the first has gone it is the 32nd";
  EXPECT_EQ(order_with(32)[1], 1U) << "after the first has gone it is the 33rd";
  EXPECT_EQ(order_with(32).back(), 99U);
}

TEST(HostQueue, OpensAnotherBankWhileTheFirstWaitsForItsRow) {
  ChannelController controller(with_window(32));
  CommandLog log;
  controller.set_observer(&log);
  controller.push(read_request(0, kBank0, 1));
  controller.push(read_request(1, kGroup1, 1));
  drain(controller);
  EXPECT_EQ(log.cycles_of(Cmd::ACT), (std::vector<std::int64_t>{1, 3}));  // nRRDS 2
  EXPECT_EQ(log.cycles_of(Cmd::RD), (std::vector<std::int64_t>{20, 22}));
}

TEST(HostQueue, ServesAConflictOnceItIsOlderThanTheAgeLimit) {
  auto config = with_window(32);
  config.age_limit = {100};
  ChannelController controller(config);
  controller.push(read_request(0, kBank0, 1));
  controller.push(read_request(1, kBank0, 2));
  for (std::uint64_t id = 2; id < 200; ++id) controller.push(read_request(id, kBank0, 1));
  // Hits at 20 + 4 n. After the one at 104 the conflict is older than 100 clocks: precharge nRTP 8
  // later, activation at 131, read at 150, data nCL 19 + nBL 2 later.
  EXPECT_EQ(when_of(drain(controller), 1), 171);
}

TEST(HostQueue, ClosedPagesLeaveARowOpenOnlyForRequestsThatWait) {
  auto config = with_window(32);
  config.page_policy = PagePolicy::kClosed;
  ChannelController controller(config);
  for (std::uint64_t id = 0; id < 4; ++id) controller.push(read_request(id, kBank0, 1));
  controller.push(read_request(4, kBank0, 2));
  drain(controller);
  EXPECT_EQ(issued(controller, Cmd::RD), 3);
  EXPECT_EQ(issued(controller, Cmd::RDA), 2);
  EXPECT_EQ(issued(controller, Cmd::PREpb), 0);
  EXPECT_EQ(controller.banks().open_banks(), 0);
}

TEST(HostQueue, CountsNoAccessTwiceAndNoneNever) {
  ChannelController idle(with_window(32));
  EXPECT_EQ(drain(idle).size(), 0U);
  ChannelController one(with_window(32));
  one.push(read_request(7, kBank0, 1));
  const auto completions = drain(one);
  ASSERT_EQ(completions.size(), 1U);
  EXPECT_EQ(completions[0].when.count, 1 + 19 + 19 + 2);
  EXPECT_EQ(one.stats().host_row_misses, 1);
}

}  // namespace
}  // namespace lockstep
