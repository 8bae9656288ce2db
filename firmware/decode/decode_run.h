// The decode loop: serves requests, turns every running sequence of every step into PIM kernels,
// and has the stack execute them (kv.md's study, with cycles beside its formula).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "firmware/decode/decode_config.h"
#include "firmware/decode/decode_result.h"
#include "firmware/kernels/sequence_stream.h"
#include "firmware/workload/request.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

// Told after each step; long runs show progress with it.
using StepListener = std::function<void(const StepRecord&, const ServingCounters&)>;

class DecodeRun {
 public:
  // `layout` outlives the run. Throws InputError if the policy, the pool or the requests do not fit
  // the stack; Unsupported if the lockstep domains of `channels_per_domain` channels would need
  // different kernels in one domain.
  DecodeRun(const DecodeConfig& config, const KvLayout& layout, int channels_per_domain,
            const KvPolicy& policy, std::vector<Request> requests, Hertz clock);

  // Runs to the end on `port`. Call it once.
  DecodeResult run(StackPort& port, const StepListener& listener = {});

 private:
  void step(StackPort& port);
  void sync_streams();
  void score_step();
  void score(const Sequence& sequence);
  std::vector<DomainKernel> kernels(StepRecord& record) const;
  void forget_finished();

  const DecodeConfig config_;
  const KvLayout& layout_;
  const int channels_per_domain_;
  const Hertz clock_;
  std::unique_ptr<KvAllocator> allocator_;
  std::unique_ptr<ServingLoop> loop_;
  std::map<SequenceId, SequenceStream> streams_;
  std::uint64_t draws_ = 0;
  DecodeResult result_;
};

}  // namespace lockstep
