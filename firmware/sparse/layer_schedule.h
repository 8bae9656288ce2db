// One layer of one step on the stack's clock, in the order that the schedule and the batch's
// overlap policy give (docs/dsa.md, on the stack).
#pragma once

#include <optional>
#include <vector>

#include "firmware/sparse/sequence_cache.h"
#include "firmware/sparse/stage_spans.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

struct SparseStacks {
  StackPort& kv;
  StackPort& summaries;  // the same, or other channels of equal clock
};

class LayerSchedule {
 public:
  // All references outlive the object. `schedule` nullopt: dense. Streams and windows are added to
  // `result`.
  LayerSchedule(const SparseConfig& config, SequenceCache& cache, std::optional<Schedule> schedule,
                Hertz clock, const SparseStacks& stacks, StreamObserver* observer,
                SparseResult& result);

  // Runs the layer and says when its parts ran.
  StageSpans run(const LayerStep& at, bool dense);

 private:
  struct Selected {
    Cycles scores;  // they are there
    Cycles guess;   // its pass has ended
  };
  // What a request of an overlapped batch waits for.
  struct InFlight {
    int request = 0;
    Cycles list;  // known to the stack
    bool guessed = false;
    bool done = false;
  };

  void write_new_tokens();
  void attend_dense();
  void attend_together(bool speculates);
  void attend_overlapped(bool speculates);
  void follow_up(const RequestList& requests, bool guessed);
  Selected select(const RequestList& requests, bool with_guess);
  Selected select_by_processor(const RequestList& requests, bool with_guess);
  // From the scores to a list of so many entries that the stack can run; nullopt: it need not.
  Cycles list_ready(Cycles scores, const RequestList& requests, Cycles& unit_free,
                    std::optional<std::int64_t> entries);
  std::vector<InFlight> start_selections();
  void speculate_while_idle(std::vector<InFlight>& flights);
  bool pays(Cycles idle) const;

  void spend(SparseStage stage, Cycles clocks);
  void wait_until(Cycles when);
  void bring_to_now(StackPort& port) const;
  Cycles clocks(double ns) const;
  Completions execute(StackPort& port, SparseStage stage, SparseStream stream,
                      const SequenceCache::Work& work, Span<HostAccess> accesses,
                      SparseStream access_stream);
  // Returns how long the kernels took.
  Cycles execute(SparseStage stage, SparseStream stream, const SequenceCache::Work& work);
  bool schedule_has(bool ScheduleInfo::*trait) const {
    return kSchedules[static_cast<std::size_t>(*schedule_)].*trait;
  }

  const SparseConfig& config_;
  SequenceCache& cache_;
  std::optional<Schedule> schedule_;
  Hertz clock_;
  SparseStacks stacks_;
  StreamObserver* observer_;
  SparseResult& result_;
  RequestList all_;
  LayerStep at_;
  StageSpans spans_;
  Cycles processor_free_;  // to read summaries from its own memory
  // Of one request of an overlapped batch, in any layer so far; 0: none yet.
  Cycles latest_guess_;
  Cycles latest_attention_;
  Cycles latest_repair_;
};

}  // namespace lockstep
