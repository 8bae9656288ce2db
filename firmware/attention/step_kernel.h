// The kernels of one layer of a step: the passes of all its sequences, in the order that the
// scheduler chose, one kernel per channel class.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "firmware/attention/kv_pools.h"
#include "firmware/attention/sequence_passes.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

// none: a pass ends before the next begins. ping_pong: the scores of the next pass are computed and
// drained before the weighted values of this one, so that its softmax is hidden behind them.
enum class Pipeline : std::uint8_t { kNone, kPingPong };
constexpr std::array<std::string_view, 2> kPipelines = {"none", "ping_pong"};

using SequenceList = std::vector<const SequencePasses*>;

// What one domain of the class has to do. Pass p of sequence s is pass s' x plan.passes() + p of
// the kernel, s' counting the sequences that have tokens in the class.
PimKernel step_kernel(const PassPlan& plan, const KvPools& pools, int layer, Pipeline pipeline,
                      int channel_class, const SequenceList& sequences);

// The same for all domains of all classes that have anything to do. Domains of a class share one
// kernel.
std::vector<DomainKernel> step_kernels(const PassPlan& plan, const KvPools& pools, int layer,
                                       Pipeline pipeline, const SequenceList& sequences);

}  // namespace lockstep
