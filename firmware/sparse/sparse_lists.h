// The lists of all requests, layers and KV heads of a run.
#pragma once

#include <functional>
#include <vector>

#include "firmware/sparse/cache_plan.h"
#include "firmware/sparse/head_lists.h"

namespace lockstep {

// The scores of a request, a layer of the model and a KV head.
using ScoreSource = std::function<ScoreSeries(int request, int layer, int head)>;

class SparseLists {
 public:
  // Reads each series once and keeps lists only. `plan` outlives the lists. `on_layer` is called
  // after each layer of a request.
  SparseLists(const SparseConfig& config, const CachePlan& plan, const ScoreSource& source,
              const std::function<void()>& on_layer = {});

  const HeadLists& of(int request, std::size_t layer, int head) const {
    return lists_[(static_cast<std::size_t>(request) * layers_ + layer) * heads_ +
                  static_cast<std::size_t>(head)];
  }
  // Mean share of the best K that A holds; 1 unless A is whole regions or has a row slack.
  double mean_recall() const;

 private:
  std::size_t layers_;  // simulated, dense ones included (theirs are empty)
  std::size_t heads_;
  std::vector<HeadLists> lists_;
};

}  // namespace lockstep
