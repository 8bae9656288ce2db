#include "sim/sparse/stream_stats.h"

namespace lockstep {
namespace {

// Commands that only accesses of the host cause.
constexpr CmdSet kOfHost{Cmd::ACT, Cmd::PREpb, Cmd::RD, Cmd::RDA, Cmd::WR, Cmd::WRA};

}  // namespace

void StreamStats::executed(SparseStream kernels, SparseStream accesses) {
  const ChannelStats now = total_();
  auto& of_kernels = streams_[static_cast<std::size_t>(kernels)];
  auto& of_accesses = streams_[static_cast<std::size_t>(accesses)];
  for (std::size_t i = 0; i < kCmdCount; ++i) {
    auto& stats = kOfHost.contains(static_cast<Cmd>(i)) ? of_accesses : of_kernels;
    stats.commands[i] += now.commands[i] - last_.commands[i];
  }
  constexpr std::string_view kHost = "host";
  for (const auto& counter : kChannelCounters) {
    auto& stats = counter.name.substr(0, kHost.size()) == kHost ? of_accesses : of_kernels;
    stats.*counter.member += now.*counter.member - last_.*counter.member;
  }
  last_ = now;
}

}  // namespace lockstep
