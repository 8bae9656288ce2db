// What a channel controller needs to know. Plain data; read from YAML in stack_config.cpp.
#pragma once

#include <array>
#include <string_view>

#include "hw/channel/write_drain.h"
#include "hw/dram/hbm3_constraints.h"
#include "hw/dram/topology.h"

namespace lockstep {

enum class RefreshMode : std::uint8_t { kNone, kAllBank, kPerBank };
constexpr std::array<std::string_view, 3> kRefreshModes = {"none", "all_bank", "per_bank"};

enum class PagePolicy : std::uint8_t { kOpen, kClosed };
constexpr std::array<std::string_view, 2> kPagePolicies = {"open", "closed"};

// Who goes first when host requests and PIM work wait at once.
enum class Arbitration : std::uint8_t { kPimFirst, kHostFirst, kTimeSlice };
constexpr std::array<std::string_view, 3> kArbitrations = {"pim_first", "host_first", "time_slice"};

struct RefreshConfig {
  RefreshMode mode = RefreshMode::kNone;
  int postpone = 0;  // refreshes that may be owed while there is work (JESD238: up to 8)
  int pull_in = 0;   // refreshes that may be done early while there is none
};

struct ControllerConfig {
  Topology topology;
  TimingSet timing;
  RefreshConfig refresh;
  PagePolicy page_policy = PagePolicy::kOpen;
  Arbitration arbitration = Arbitration::kPimFirst;
  Cycles time_slice;
  Cycles age_limit;  // a request that waited longer goes before younger ones and other sides
  int host_window = 32;
  WriteDrainConfig write_drain;
  int pim_window = 1;  // commands the PIM queue may look ahead for an open row; 1: in order
};

}  // namespace lockstep
