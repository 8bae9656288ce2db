#include "hw/channel/stats.h"

namespace lockstep {
namespace {

template <std::size_t N>
void add(std::array<std::int64_t, N>& total, const std::array<std::int64_t, N>& part) {
  for (std::size_t i = 0; i < N; ++i) total[i] += part[i];
}

}  // namespace

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
