// The decode loop: serves requests, turns every running sequence of every step into PIM kernels,
// and has the stack execute them (kv.md's study, with cycles beside its formula).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "firmware/decode/decode_config.h"
#include "firmware/decode/decode_result.h"
#include "firmware/decode/kv_memory.h"
#include "firmware/decode/running_streams.h"
#include "firmware/decode/table_structure.h"
#include "firmware/workload/request.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

// Told after each simulated step; long runs show progress with it.
using StepListener = std::function<void(const StepRecord&, const ServingCounters&)>;

class DecodeRun {
 public:
  // `memory` outlives the run and was made for the shape of `config`. Throws InputError if the
  // policy, the pool or the requests do not fit the stack.
  DecodeRun(const DecodeConfig& config, const KvMemory& memory, const KvPolicy& policy,
            std::vector<Request> requests, Hertz clock);

  // Runs to the end on `port`. Call it once.
  DecodeResult run(StackPort& port, const StepListener& listener = {});

 private:
  void step(StackPort& port, const StepListener& listener);
  void check_bytes() const;
  void score_step();
  void score(std::size_t index);
  void simulate(StackPort& port);
  void copy(StackPort& port, StepRecord& record);
  std::vector<DomainKernel> kernels(StepRecord& record) const;
  std::shared_ptr<const PimKernel> kernel_of(std::size_t channel_class) const;

  const DecodeConfig config_;
  const KvMemory& memory_;
  const Hertz clock_;
  std::unique_ptr<KvAllocator> allocator_;
  std::unique_ptr<ServingLoop> loop_;
  RunningStreams streams_;
  std::unique_ptr<TableStructure> structure_;
  std::uint64_t draws_ = 0;
  DecodeResult result_;
};

}  // namespace lockstep
