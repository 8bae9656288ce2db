#include "hw/channel/stats.h"

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

template <std::size_t N>
void add(std::array<std::int64_t, N>& total, const std::array<std::int64_t, N>& part) {
  for (std::size_t i = 0; i < N; ++i) total[i] += part[i];
}

}  // namespace

std::int64_t ChannelStats::total_commands() const {
  return std::accumulate(commands.begin(), commands.end(), std::int64_t{0});
}

std::optional<double> ChannelStats::pim_hit_ratio() const {
  const std::int64_t all = pim_column_hits + pim_column_misses;
  if (all == 0) return std::nullopt;
  return static_cast<double>(pim_column_hits) / static_cast<double>(all);
}

std::vector<std::pair<std::string, std::int64_t>> ChannelStats::waits_by_name() const {
  std::vector<std::pair<std::string, std::int64_t>> waits;
  for (std::size_t i = 0; i < kReasonCount; ++i) {
    const std::string name(reason_name(static_cast<Reason>(i)));
    const auto known =
        std::find_if(waits.begin(), waits.end(), [&](const auto& w) { return w.first == name; });
    if (known == waits.end()) {
      waits.emplace_back(name, waited[i]);
    } else {
      known->second += waited[i];
    }
  }
  return waits;
}

bool operator==(const ChannelStats& a, const ChannelStats& b) {
  bool same = a.commands == b.commands && a.waited == b.waited;
  for (const auto& counter : kChannelCounters) same &= a.*counter.member == b.*counter.member;
  return same;
}

ChannelStats& operator+=(ChannelStats& total, const ChannelStats& part) {
  add(total.commands, part.commands);
  add(total.waited, part.waited);
  for (const auto& counter : kChannelCounters) total.*counter.member += part.*counter.member;
  return total;
}

}  // namespace lockstep
