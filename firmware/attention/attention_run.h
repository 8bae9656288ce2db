// The decode loop with attention on the stack: serves requests, writes their keys and values, runs
// the passes of every sequence of every step, and sets the processor's work beside them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "firmware/attention/attention_config.h"
#include "firmware/attention/attention_result.h"
#include "firmware/attention/kv_pools.h"
#include "firmware/attention/sequence_passes.h"
#include "firmware/workload/request.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

using AttentionListener = std::function<void(const AttentionStep&, const ServingCounters&)>;

class AttentionRun {
 public:
  // `map` outlives the run. Throws InputError if the policy, the pool or the requests do not fit
  // the stack, Unsupported if the query group does not fit the bank units.
  AttentionRun(const AttentionConfig& config, const KvTensorMap& map, const KvPolicy& policy,
               std::vector<Request> requests, const StackRates& rates);

  // Runs to the end on `port`. Call it once. `probe` may be nullptr.
  AttentionResult run(StackPort& port, StageProbe* probe, const AttentionListener& listener = {});

 private:
  struct Cached {
    explicit Cached(const PassPlan& plan) : passes(plan) {}
    SequencePasses passes;
    std::int64_t written = 0;  // tokens in the cache
    std::uint64_t table_version = 0;
  };

  void step(StackPort& port, StageProbe* probe);
  void prefill(StackPort& port, AttentionStep& record);
  void attend(StackPort& port, StageProbe* probe, AttentionStep& record);
  LayerTimes attend_sub_batch(StackPort& port, StageProbe* probe, Span<const Sequence*> sequences,
                              AttentionStep& record);
  void append_writes(int layer, const Sequence& sequence, std::vector<HostAccess>& writes) const;
  void count(const std::vector<DomainKernel>& kernels, const SequenceList& sequences,
             PassCounts& counts) const;
  void add_to_totals(const AttentionStep& record);
  void forget_finished();
  // Where one layer stands for all, the next in turn: so that its rows are, as in a step of all
  // layers, not those that the banks have open.
  int first_layer() const { return static_cast<int>(turns_ % config_.layers); }
  int simulated_layers() const {
    return config_.simulated == SimulatedLayers::kOne ? 1 : config_.layers;
  }

  const AttentionConfig config_;
  const KvTensorMap& map_;
  const StackRates rates_;
  PassPlan plan_;
  std::unique_ptr<KvPools> pools_;
  std::unique_ptr<KvAllocator> allocator_;
  std::unique_ptr<ServingLoop> loop_;
  std::map<SequenceId, Cached> cached_;
  std::int64_t turns_ = 0;  // of sub-batches, where one layer stands for all
  AttentionResult result_;
};

}  // namespace lockstep
