// Writes wait for reads until enough of them wait, go together, and none waits for ever. One pseudo
// channel at 5.2 Gb/s; every request has a bank of its own, so that only the drain orders them.
#include "hw/channel/write_drain.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {
namespace {

using Ids = std::vector<std::uint64_t>;

ControllerConfig with_drain(int high, int low) {
  auto config = controller_5200();
  config.host_window = 32;
  config.write_drain = {high, low};
  return config;
}

HostRequest request(HostOp op, std::uint64_t id, int bank, std::int32_t column = 0) {
  auto result = read_request(id, Topology{}.address(bank), 1);
  result.op = op;
  result.column = column;
  return result;
}

// Writes have even ids, reads odd ones, in turns: as many of each.
ChannelController in_turns(WriteDrainConfig drain, int pairs) {
  ChannelController controller(with_drain(drain.high, drain.low));
  for (int i = 0; i < pairs; ++i) {
    const auto id = static_cast<std::uint64_t>(2 * i);
    controller.push(request(HostOp::kWrite, id, 2 * i));
    controller.push(request(HostOp::kRead, id + 1, 2 * i + 1));
  }
  return controller;
}

// W or R in order of issue: which bank goes first among one kind is not the drain's affair.
std::string kinds(ChannelController controller) {
  std::string kinds;
  for (const auto id : ids_of(drain(controller))) kinds += id % 2 == 0 ? 'W' : 'R';
  return kinds;
}

TEST(WriteDrain, FewWritesWaitForAllReads) {
  EXPECT_EQ(kinds(in_turns({8, 2}, 3)), "RRRWWW");
}

TEST(WriteDrain, ManyGoFirstDownToTheLowMark) {
  EXPECT_EQ(kinds(in_turns({4, 1}, 4)), "WWWRRRRW");
}

// Without a drain reads and writes mix as their rows open.
TEST(WriteDrain, TurnsTheBusOnce) {
  const auto turns = [](WriteDrainConfig config) {
    auto controller = in_turns(config, 8);
    CommandLog log;
    controller.set_observer(&log);
    drain(controller);
    const auto reads = log.cycles_of(Cmd::RD);
    const auto writes = log.cycles_of(Cmd::WR);
    EXPECT_EQ(reads.size(), 8U);
    EXPECT_EQ(writes.size(), 8U);
    return reads.back() < writes.front() || writes.back() < reads.front();
  };
  EXPECT_TRUE(turns({16, 2}));
  EXPECT_TRUE(turns({8, 0}));
  EXPECT_FALSE(turns({0, 0}));
}

// The read of a column that is to be written first gets what was written, though reads go first
// and others wait.
TEST(WriteDrain, AReadNeverOvertakesTheWriteOfItsColumn) {
  for (const WriteDrainConfig drain_at : {WriteDrainConfig{0, 0}, WriteDrainConfig{16, 2}}) {
    ChannelController controller(with_drain(drain_at.high, drain_at.low));
    controller.push(request(HostOp::kRead, 0, 0, 5));
    controller.push(request(HostOp::kWrite, 1, 0, 7));
    controller.push(request(HostOp::kRead, 2, 0, 7));
    controller.push(request(HostOp::kWrite, 3, 0, 7));
    controller.push(request(HostOp::kRead, 4, 0, 6));
    Ids of_column_7;
    for (const auto id : ids_of(drain(controller))) {
      if (id == 1 || id == 2 || id == 3) of_column_7.push_back(id);
    }
    EXPECT_EQ(of_column_7, (Ids{1, 2, 3}));
  }
}

// Reads never end: the one write goes once it is older than the age limit of 500 clocks. At most 32
// reads are ahead of its commands then, one in nCCDL = 4 clocks.
TEST(WriteDrain, AWriteIsNotStarvedByReads) {
  auto config = with_drain(16, 2);
  config.age_limit = {500};
  ChannelController controller(config);
  controller.push(request(HostOp::kWrite, 9'999, 15));
  for (std::uint64_t id = 0; id < 1'000; ++id) controller.push(request(HostOp::kRead, id, 0));
  const auto when = when_of(drain(controller), 9'999);
  EXPECT_GT(when, 500);
  EXPECT_LT(when, 500 + 32 * 4 + 64);
}

TEST(WriteDrain, NeverHoldsBothBack) {
  for (int high = 0; high < 6; ++high) {
    for (int low = 0; low < std::max(1, high); ++low) {
      WriteDrain drain({high, low});
      for (const std::size_t writes : {0, 1, 2, 5, 9, 5, 2, 1, 0, 3, 1}) {
        drain.update(writes);
        for (const std::size_t reads : {0, 1, 20}) {
          const bool reading = reads > 0 && drain.reads_go(writes);
          const bool writing = writes > 0 && drain.writes_go(reads);
          EXPECT_EQ(reading || writing, reads + writes > 0) << high << " " << low;
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
