// Kernels over lists of blocks: each KV head has lists of its own, and runs them on the channels
// that hold it.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/attention/pass_data.h"
#include "firmware/attention/step_kernel.h"

namespace lockstep {

// Passes by KV head; those of a head run one after the other, pipelined as a step's.
using HeadPassLists = std::vector<SequenceList>;

// What passes over lists compute with. `queries[i]` belongs to the i-th sequence of a head, which
// `numbers` calls sequence i.
struct ListData {
  int queries_per_column;
  const std::vector<SequenceQueries>& queries;
  const PassNumbers& numbers;
};

class ListKernels {
 public:
  // Throws Unsupported where a lockstep domain holds more than one KV head: its channels could not
  // follow a list each.
  ListKernels(const PassPlan& plan, const KvPools& pools, Pipeline pipeline);

  // Attention over each head's lists.
  std::vector<DomainKernel> attention(int layer, const HeadPassLists& lists) const;
  // The same list for all heads.
  std::vector<DomainKernel> dense(int layer, const SequenceList& sequences) const;
  // Scores of K over each head's lists, drained and kept on the die: softmax and V are left for
  // later.
  std::vector<DomainKernel> scores(int layer, const HeadPassLists& lists) const;
  // What is left then: scores of what `missed` holds, softmax, and V of `selected`; both by head
  // and request, the same requests.
  std::vector<DomainKernel> rest(int layer, const HeadPassLists& missed,
                                 const HeadPassLists& selected) const;
  // Products of the queries with the summaries of each sequence, in `tensors` pools.
  std::vector<DomainKernel> summaries(int layer, const SequenceList& sequences,
                                      const std::vector<QueryGroup>& queries, int tensors) const;

  // The kernels of attention(), scores() and rest() with what the banks compute with. `scored` is
  // what scores() was made for, with the same numbers.
  std::vector<DomainKernel> with_data(std::vector<DomainKernel> kernels, const HeadPassLists& lists,
                                      const ListData& data) const;
  std::vector<DomainKernel> scores_with_data(std::vector<DomainKernel> kernels,
                                             const HeadPassLists& lists,
                                             const ListData& data) const;
  std::vector<DomainKernel> rest_with_data(std::vector<DomainKernel> kernels,
                                           const HeadPassLists& scored, const HeadPassLists& missed,
                                           const HeadPassLists& selected,
                                           const ListData& data) const;

 private:
  // `make(place, head)` gives the data of a kernel.
  template <typename Make>
  std::vector<DomainKernel> add_data(std::vector<DomainKernel> kernels, const ListData& data,
                                     const Make& make) const;
  template <typename Make>
  std::vector<DomainKernel> by_head(const Make& make) const;

  const PassPlan& plan_;
  const KvPools& pools_;
  Pipeline pipeline_;
};

}  // namespace lockstep
