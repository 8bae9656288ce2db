#include "sim/traces/windowed_trace.h"

#include <gtest/gtest.h>

#include "tests/sim/traces/sample_commands.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

TEST(TraceWindow, IsTwoInstantsWithUnits) {
  EXPECT_EQ(parse_trace_window("10us:12us").from.count, 10'000'000);
  EXPECT_EQ(parse_trace_window("10us:12us").to.count, 12'000'000);
  EXPECT_EQ(parse_trace_window("0ns:0.5us").to.count, 500'000);
  EXPECT_EQ(parse_trace_window("1 ps:2 ms").to.count, 2'000'000'000);
}

TEST(TraceWindow, IsNothingElse) {
  for (const char* text : {"", ":", "10us", "10us:", ":12us", "12us:10us", "10us:10us", "10:12",
                           "10us-12us", "10us:12us:14us", "-1us:2us", "1e3ns:2us", "0.1ps:1ps",
                           "10 us :12us", "10us:12us ", "us:12us", "10us:99999999999999s"}) {
    EXPECT_THROW(parse_trace_window(text), InputError) << text;
  }
  try {
    parse_trace_window("12us:10us");
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "window: expected two instants, the earlier first, such as `10us:12us`, got "
                 "`12us:10us`\n");
  }
}

TEST(WindowedTrace, PassesOnWhatLiesWithin) {
  CommandList list;
  WindowedTrace trace(list, parse_trace_window("10ns:20ns"), {1'300'000'000});
  // At 1.3 GHz cycle 13 is at 10 ns, cycle 26 at 20 ns.
  for (std::int64_t cycle = 0; cycle < 40; ++cycle) {
    CommandRecord record;
    record.cycle = {cycle};
    trace.record(record);
  }
  ASSERT_EQ(list.commands.size(), 13);
  EXPECT_EQ(list.commands.front().cycle.count, 13);
  EXPECT_EQ(list.commands.back().cycle.count, 25);
}

}  // namespace
}  // namespace lockstep
