// The score and kernels of each sequence that runs, kept from step to step.
#pragma once

#include <vector>

#include "firmware/kernels/sequence_stream.h"
#include "firmware/serving/sequence.h"

namespace lockstep {

class RunningStreams {
 public:
  // `layout` outlives the streams. Throws InputError if the reorder window is out of range.
  RunningStreams(const KvLayout& layout, const Reorder& reorder)
      : layout_(layout), reorder_(reorder) {}

  // Makes stream i that of running[i], reading only what is new of it; steps may be left out.
  void sync(Span<Sequence> running);

  std::size_t size() const { return streams_.size(); }
  const SequenceStream& operator[](std::size_t i) const { return streams_[i].stream; }

 private:
  struct Named {
    SequenceId id;
    SequenceStream stream;
  };
  const KvLayout& layout_;
  const Reorder reorder_;
  std::vector<Named> streams_;
};

}  // namespace lockstep
