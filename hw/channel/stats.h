// What a channel controller counts. To add a counter: a member, and its row in kChannelCounters.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/dram/command.h"
#include "hw/dram/hbm3_constraints.h"

namespace lockstep {

// Why a command did not go earlier: a row of the constraint table, or one of these.
enum class Wait : std::uint8_t { kNoWork, kModeSwitch, kRefreshDue, kCompletion };
constexpr std::array<std::string_view, 4> kWaits = {"no work", "mode switch", "refresh due",
                                                    "completion"};
using Reason = std::int16_t;  // index of a rule, or kHbm3RuleCount + a Wait
constexpr std::size_t kReasonCount = kHbm3RuleCount + kWaits.size();
constexpr Reason reason(Wait wait) {
  return static_cast<Reason>(kHbm3RuleCount + static_cast<std::size_t>(wait));
}
constexpr std::string_view reason_name(Reason reason) {
  const auto index = static_cast<std::size_t>(reason);
  return index < kHbm3RuleCount ? kHbm3Constraints[index].rule : kWaits[index - kHbm3RuleCount];
}

struct ChannelStats {
  std::array<std::int64_t, kCmdCount> commands{};
  // Clocks between consecutive commands, by what the later one waited for; their sum is the clock
  // of the last command.
  std::array<std::int64_t, kReasonCount> waited{};

  std::int64_t host_requests = 0;
  std::int64_t host_completed = 0;
  std::int64_t kernels = 0;
  std::int64_t kernels_completed = 0;
  std::int64_t pim_column_hits = 0;    // MAC commands that found their row open
  std::int64_t pim_column_misses = 0;  // MAC commands that first had to open it
  std::int64_t host_row_hits = 0;
  std::int64_t host_row_misses = 0;     // the bank was closed
  std::int64_t host_row_conflicts = 0;  // the bank had another row open
  std::int64_t mode_switches = 0;
  std::int64_t softmax_elements = 0;
  std::int64_t refreshes_postponed = 0;  // went when the next one was due as well, or later
  std::int64_t refreshes_pulled_in = 0;  // went before they were due

  std::int64_t total_commands() const;
  // Share of the MAC commands that found their row open; nullopt without any.
  std::optional<double> pim_hit_ratio() const;
  // Clocks waited, summed over rules of one name, in the order of the table.
  std::vector<std::pair<std::string, std::int64_t>> waits_by_name() const;
};

struct ChannelCounter {
  std::string_view name;
  std::int64_t ChannelStats::*member;
  std::string_view meaning;
};

constexpr ChannelCounter kChannelCounters[] = {
    // clang-format off
    {"host_requests",      &ChannelStats::host_requests,      "reads and writes accepted"},
    {"host_completed",     &ChannelStats::host_completed,     "reads and writes answered"},
    {"kernels",            &ChannelStats::kernels,            "PIM kernels accepted"},
    {"kernels_completed",  &ChannelStats::kernels_completed,  "PIM kernels answered"},
    {"pim_column_hits",    &ChannelStats::pim_column_hits,    "MAC commands that found their row open"},
    {"pim_column_misses",  &ChannelStats::pim_column_misses,  "MAC commands whose row had to be opened first"},
    {"host_row_hits",      &ChannelStats::host_row_hits,      "host requests that found their row open"},
    {"host_row_misses",    &ChannelStats::host_row_misses,    "host requests that found their bank closed"},
    {"host_row_conflicts", &ChannelStats::host_row_conflicts, "host requests that found another row open"},
    {"mode_switches",      &ChannelStats::mode_switches,      "changes between host and PIM commands"},
    {"softmax_elements",   &ChannelStats::softmax_elements,   "scores that went through the softmax unit"},
    {"refreshes_postponed", &ChannelStats::refreshes_postponed, "refreshes that went when the next one was due as well"},
    {"refreshes_pulled_in", &ChannelStats::refreshes_pulled_in, "refreshes that went before they were due"},
    // clang-format on
};

bool operator==(const ChannelStats& a, const ChannelStats& b);
// Sums every counter, for the totals of a stack.
ChannelStats& operator+=(ChannelStats& total, const ChannelStats& part);

}  // namespace lockstep
