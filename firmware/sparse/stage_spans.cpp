#include "firmware/sparse/stage_spans.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {

void StageSpans::add(SparseStage stage, Cycles begin, Cycles end) {
  ensure(begin <= end, "a stage ends after it began");
  if (begin < end) parts_.push_back({stage, begin, end});
}

PerStage<Cycles> StageSpans::busy() const {
  PerStage<Cycles> busy{};
  for (const auto& part : parts_)
    busy[static_cast<std::size_t>(part.stage)] += part.end - part.begin;
  return busy;
}

PerStage<Cycles> StageSpans::exposed() const {
  std::vector<Cycles> instants;
  for (const auto& part : parts_) {
    instants.push_back(part.begin);
    instants.push_back(part.end);
  }
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  PerStage<Cycles> exposed{};
  for (std::size_t i = 1; i < instants.size(); ++i) {
    std::size_t first = kSparseStageCount;
    for (const auto& part : parts_) {
      if (part.begin <= instants[i - 1] && part.end >= instants[i])
        first = std::min(first, static_cast<std::size_t>(part.stage));
    }
    ensure(first < kSparseStageCount, "a layer waits for one of its stages at any time");
    exposed[first] += instants[i] - instants[i - 1];
  }
  return exposed;
}

}  // namespace lockstep
