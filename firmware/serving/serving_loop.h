// The server's side of decoding: who runs in which engine iteration, and which blocks it holds. A
// step is begin_step(), then whatever the caller makes of running(), then end_step().
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "firmware/kv/allocator.h"
#include "firmware/serving/block_manager.h"
#include "firmware/serving/counters.h"
#include "firmware/serving/sequence.h"
#include "firmware/serving/speculation.h"

namespace lockstep {

enum class Admission {
  kOracle,  // final lengths are known: a sequence enters only if all that run can finish
  kVllm,    // vLLM v0.2.7: enters if its prompt fits; who grows too far pushes another out
};

struct ServingConfig {
  std::int32_t max_batch = 64;
  Admission admission = Admission::kOracle;
  double watermark = 0.01;  // kVllm: this share of the pool stays free at admission
  std::int32_t block_tokens = 16;
  std::int32_t max_preemptions = 1000;  // a sequence preempted more often is dropped
  PrefixSharing prefix_sharing = PrefixSharing::kOff;
  std::optional<Speculation> speculation;  // one round instead of one token, where it has room
};

class ServingLoop {
 public:
  // Requests may come in any order; equal arrivals keep theirs. Throws InputError for a request
  // without a prompt or output, for two with one id, and for a configuration out of range. The
  // allocator must be fresh and must outlive the loop.
  ServingLoop(const ServingConfig& config, std::vector<Request> requests, KvAllocator& allocator);
  ServingLoop(const ServingLoop&) = delete;
  ServingLoop& operator=(const ServingLoop&) = delete;

  bool done() const;
  // Admits, then lets every running sequence append its token or tokens. Steps in which nothing
  // could run pass at once. Afterwards running() is empty only if all requests left were dropped.
  void begin_step();
  void end_step();  // releases what finished, checks the allocator's books

  // In order of admission. The view ends with the next begin_step() or end_step().
  Span<Sequence> running() const { return running_; }
  std::int64_t step() const { return step_; }  // index of the iteration, idle ones included
  const ServingCounters& counters() const { return counters_; }
  // What this step's begin_step() moved inside the pool. Its view ends as running()'s does.
  Span<BlockCopy> copies() { return manager_.copies(); }

 private:
  bool waiting() const { return !preempted_.empty() || !queue_.empty(); }
  void arrive();
  void admit_waiting();
  Outcome try_admit(Sequence& sequence);
  void advance(std::size_t& index);
  Outcome make_room(std::size_t& index);
  void preempt(std::size_t index);
  void count_tokens();

  const ServingConfig config_;
  const std::vector<Request> requests_;  // by arrival
  ServingCounters counters_;
  std::optional<Speculator> speculator_;
  BlockManager manager_;
  std::size_t arrived_ = 0;
  std::int64_t step_ = -1;
  std::deque<Sequence> preempted_;  // ahead of the queue; the latest first
  std::deque<Sequence> queue_;
  std::vector<Sequence> running_;
};

}  // namespace lockstep
