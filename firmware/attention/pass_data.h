// What the banks compute with: queries and token places of the passes of a step, beside its
// kernels; and the outputs, put together from what the passes return.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/attention/step_kernel.h"
#include "tlm/contract/attention_pass.h"

namespace lockstep {

// fp16 queries of one sequence: [KV head][query of the group][dim].
using SequenceQueries = std::vector<std::uint16_t>;

// Numbers the head passes of a step, for results to find their way back.
class PassNumbers {
 public:
  // Numbers from `first` on.
  PassNumbers(const PassPlan& plan, std::int64_t first) : plan_(&plan), first_(first) {}

  std::int64_t number(std::size_t sequence, int head, int group, int channel_class) const;
  std::int64_t end(std::size_t sequences) const { return number(sequences, 0, 0, 0); }
  struct Place {
    std::size_t sequence;
    int head;
    int group;
    int channel_class;
  };
  Place place(std::int64_t number) const;

 private:
  const PassPlan* plan_;
  std::int64_t first_;
};

// Where passes are run, and how.
struct DomainPasses {
  int queries_per_column;
  int channel_class;
  const HeadDomain& domain;
  const PassNumbers& numbers;
};

// Places of a sequence's tokens, equal for all its passes in a class
// (tlm/contract/attention_pass.h).
struct PassTokens {
  std::vector<PassChunk> chunks;
  std::int32_t tokens = 0;
  std::int32_t scored_before = 0;
  bool keeps_scores = false;
};

// Chunks of the stripes in order, their tokens numbered as the stripes do.
std::vector<PassChunk> chunks(const Stripes& stripes);

// Adds the passes of one sequence, whose number is `sequence`.
void append_passes(const PassPlan& plan, const DomainPasses& at, std::size_t sequence,
                   const SequenceQueries& queries, const PassTokens& tokens, KernelData& data);

// The data of step_kernel()'s passes in one domain. `queries[s]` belongs to `sequences[s]`.
KernelData domain_data(const PassPlan& plan, const DomainPasses& at, const SequenceList& sequences,
                       const std::vector<SequenceQueries>& queries);

// As step_kernels(), with data.
std::vector<DomainKernel> step_kernels_with_data(const PassPlan& plan, int queries_per_column,
                                                 std::vector<DomainKernel> kernels,
                                                 const SequenceList& sequences,
                                                 const std::vector<SequenceQueries>& queries,
                                                 const PassNumbers& numbers);

// Attention outputs of one sequence: [KV head][query of the group][dim]. Partial results of
// different channel classes are merged by (m, l, acc), in double.
std::vector<std::vector<double>> outputs_of(const PassPlan& plan, const PassNumbers& numbers,
                                            std::size_t sequences, int query_group,
                                            const std::vector<PassResult>& results);

}  // namespace lockstep
