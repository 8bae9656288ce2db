#include "firmware/decode/running_streams.h"

#include <utility>

namespace lockstep {

// Sequences keep their order while they run. One that was preempted and came back stands at the
// end, where its old stream has been passed: it gets a new one, as its new blocks need anyway.
void RunningStreams::sync(Span<Sequence> running) {
  std::vector<Named> synced;
  synced.reserve(running.size());
  std::size_t old = 0;
  for (const auto& sequence : running) {
    auto found = old;
    while (found < streams_.size() && streams_[found].id != sequence.id) ++found;
    if (found < streams_.size()) {
      synced.push_back(std::move(streams_[found]));
      old = found + 1;
    } else {
      synced.push_back({sequence.id, SequenceStream(layout_, reorder_)});
    }
    synced.back().stream.resync(sequence.blocks, sequence.tokens, sequence.table_version);
  }
  streams_ = std::move(synced);
}

}  // namespace lockstep
