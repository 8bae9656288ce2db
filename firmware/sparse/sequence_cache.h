// The block lists of a run as passes: which blocks each head attends to at a step, and where they
// lie then.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "firmware/sparse/list_kernels.h"
#include "firmware/sparse/sparse_lists.h"
#include "firmware/sparse/sparse_result.h"

namespace lockstep {

// One step of one layer, for the requests named.
struct LayerStep {
  std::size_t layer = 0;  // simulated
  std::int64_t step = 0;
  std::int64_t tokens = 0;  // attended by each request, the new one included
};
using RequestList = std::vector<int>;

class SequenceCache {
 public:
  SequenceCache(const SparseConfig& config, const CachePlan& plan, const SparseLists& lists,
                std::optional<Schedule> schedule);

  // Kernels, and the bytes of K and V (of summaries) that they are for.
  struct Work {
    std::vector<DomainKernel> kernels;
    std::int64_t kv_bytes = 0;
  };
  Work dense(const LayerStep& at);
  Work selection(const LayerStep& at, const RequestList& requests);
  Work guess(const LayerStep& at, const RequestList& requests);
  Work attention(const LayerStep& at, const RequestList& requests);
  // Empty if nothing was missed and the mode leaves nothing else to do.
  Work repair(const LayerStep& at, const RequestList& requests);
  // Whether the guess alone does not give the output that schedule and mode of repair promise.
  bool needs_more(const LayerStep& at, const RequestList& requests) const;

  // The processor's reads of all summaries, all heads.
  std::vector<HostAccess> summary_reads(const LayerStep& at, const RequestList& requests) const;
  std::int64_t summary_bytes(const LayerStep& at, const RequestList& requests) const;
  // New keys and values of all requests, and the summaries that they complete unless these lie
  // apart.
  std::vector<HostAccess> writes(const LayerStep& at) const;
  // The summaries that they complete, to channels without K and V; none unless they lie there.
  std::vector<HostAccess> summary_writes(const LayerStep& at) const;
  // Reads and writes of the copies made before the first step, or after a step.
  std::vector<HostAccess> first_copies(std::size_t layer);
  std::vector<HostAccess> copies(const LayerStep& at);

  ListCounts counts(const LayerStep& at) const;
  // Entries of the lists that the stack is given for these requests after selection: what repair
  // reads and, where that is not all of the output, what is left of the guess.
  std::int64_t list_entries(const LayerStep& at, const RequestList& requests, bool guessed) const;
  // Partial results of a query head that become one after repair, summed over KV heads and
  // requests; 0 where the last pass gives the output, or the guess alone.
  std::int64_t merged_partials(const LayerStep& at, const RequestList& requests) const;
  // How many blocks of all heads compete.
  std::int64_t scores(const LayerStep& at, const RequestList& requests) const;

 private:
  const BlockList& guessed(const LayerStep& at, int request, int head) const;
  const BlockList& selected(const LayerStep& at, int request, int head) const;
  std::size_t index(std::size_t layer, int request, int head) const {
    return (layer * static_cast<std::size_t>(config_.batch) + static_cast<std::size_t>(request)) *
               heads_ +
           static_cast<std::size_t>(head);
  }
  SequencePasses& scratch(std::size_t set, std::size_t index);
  BlockList forced(const LayerStep& at) const;
  bool repairs_by(RepairMode mode) const {
    return info_of(*schedule_).repairs && config_.repair == mode;
  }
  std::int64_t bytes_of(const LayerStep& at, std::int64_t blocks, bool with_forced) const;
  // Passes of each head over `list_of` its requests, with the forced blocks or without.
  HeadPassLists passes(std::size_t set, const LayerStep& at, const RequestList& requests,
                       const std::function<BlockList(int request, int head)>& list_of,
                       bool with_forced, std::int64_t& kv_bytes);
  Work partials(const LayerStep& at, const RequestList& requests);
  void append_copy(std::size_t layer, int head, BlockId from, BlockId to,
                   std::vector<HostAccess>& accesses) const;
  void apply(std::size_t layer, int request, int head, const std::vector<HotCopy>& copies,
             std::vector<HostAccess>& accesses);

  const SparseConfig& config_;
  const CachePlan& cache_plan_;
  const SparseLists& lists_;
  std::optional<Schedule> schedule_;
  std::size_t heads_;
  PassPlan plan_;
  PassPlan summary_plan_;
  ListKernels kernels_;
  ListKernels summary_kernels_;
  std::vector<SequencePasses> whole_;                                  // by request: all tokens
  std::vector<SequencePasses> summaries_;                              // by request
  std::vector<std::vector<std::unique_ptr<SequencePasses>>> scratch_;  // by set, then by use
  std::vector<HotBlocks> hot_;                                         // by layer, request, head
};

}  // namespace lockstep
