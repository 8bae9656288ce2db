// Many requests of both sides on one channel: everything ends, once, and the identities hold.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/random_case.h"

namespace lockstep {

constexpr std::uint64_t kStressSeed = 20'260'303;

// Marks what has completed; fails on what completes twice.
inline std::int64_t count_completions(ChannelController& controller, std::vector<bool>& completed) {
  std::int64_t count = 0;
  for (const auto& completion : controller.take_completions()) {
    const auto id = static_cast<std::size_t>(completion.id);
    EXPECT_FALSE(completed[id]) << "request " << id << " completed twice";
    completed[id] = true;
    ++count;
  }
  return count;
}

inline void push_random(Dice& dice, std::uint64_t id, Cycles arrival, ChannelController& controller,
                        const Topology& topology) {
  if (!dice.one_in(20)) {
    auto request = random_access(dice, topology);
    request.id = id;
    request.arrival = arrival;
    return controller.push(request);
  }
  PimKernel runs;
  const int length = dice.small(1, 3);
  for (int i = 0; i < length; ++i) runs.push_back(random_run(dice, topology));
  controller.push(kernel_request(id, std::move(runs), arrival));
}

// At most 100 requests wait at a time; new ones come when others complete.
inline void stress(const ControllerConfig& config, std::int64_t requests, std::uint64_t seed) {
  constexpr std::int64_t kOutstanding = 100;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dice dice(seed);
  ChannelController controller(config);
  std::vector<bool> completed(static_cast<std::size_t>(requests));
  std::int64_t sent = 0;
  std::int64_t done = 0;
  Cycles now;
  while (done < requests) {
    for (; sent < requests && sent - done < kOutstanding; ++sent) {
      push_random(dice, static_cast<std::uint64_t>(sent), now, controller, config.topology);
    }
    if (!controller.completed_something()) controller.advance_to_completion();
    const std::int64_t more = count_completions(controller, completed);
    ASSERT_GT(more, 0) << "nothing completes with " << sent - done << " requests waiting";
    done += more;
    now = controller.last_issue();
  }
  EXPECT_FALSE(controller.has_work());
  controller.check_identities();
  EXPECT_EQ(controller.stats().host_completed + controller.stats().kernels_completed, requests);
}

// Every arbitration with windows from 1 to 64, on a random controller each.
inline void stress_every_arbitration(std::int64_t requests) {
  std::uint64_t seed = kStressSeed;
  for (const auto arbitration :
       {Arbitration::kPimFirst, Arbitration::kHostFirst, Arbitration::kTimeSlice}) {
    for (const int window : {1, 2, 7, 32, 64}) {
      Dice dice(++seed);
      auto config = random_config(dice, random_topology(dice));
      config.arbitration = arbitration;
      config.host_window = window;
      config.write_drain = {(window + 1) / 2, (window - 1) / 4};
      stress(config, requests, seed);
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace lockstep
