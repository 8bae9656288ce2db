// The functional state of a stack's buffer die: the passes under way, and the results of those that
// are finished. Its channels come in any order, so it tells them when a softmax is through.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "hw/die/head_pass.h"

namespace lockstep {

class BufferDie {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    // The softmax of some pass is through.
    virtual void on_softmax() = 0;
  };

  // `listener` outlives the die's last call.
  void tell(Listener& listener) { listeners_.push_back(&listener); }

  // The pass that `data` is a part of; begins it if it is new, or goes on with it. The reference is
  // good until the pass is finished.
  HeadPass& pass(const PassData& data);
  void start_softmax(HeadPass& pass, int head_channel);
  void add_lanes(HeadPass& pass, int head_channel, Span<float> lanes);

  std::size_t passes_under_way() const { return passes_.size(); }
  // Finished since the last call, by head_pass.
  std::vector<PassResult> take_results();

 private:
  std::map<std::int64_t, HeadPass> passes_;
  std::vector<PassResult> results_;
  std::vector<Listener*> listeners_;
};

}  // namespace lockstep
