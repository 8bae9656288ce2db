// What a stack counted for each stream of a sparse run.
#pragma once

#include <array>
#include <functional>
#include <utility>

#include "firmware/sparse/sparse_result.h"
#include "hw/channel/stats.h"

namespace lockstep {

class StreamStats final : public StreamObserver {
 public:
  // `total` gives what the stack has counted so far, over all channels.
  explicit StreamStats(std::function<ChannelStats()> total)
      : total_(std::move(total)), last_(total_()) {}

  // Of kernels and accesses at once, commands of the host's kind go to the accesses.
  void executed(SparseStream kernels, SparseStream accesses) override;

  const ChannelStats& of(SparseStream stream) const {
    return streams_[static_cast<std::size_t>(stream)];
  }

 private:
  std::function<ChannelStats()> total_;
  ChannelStats last_;
  std::array<ChannelStats, kSparseStreams.size()> streams_{};
};

}  // namespace lockstep
