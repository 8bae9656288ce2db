#include "firmware/sparse/summary_accesses.h"

namespace lockstep {

void append_summary_reads(const CachePlan& plan, int layer, int request, std::int64_t tokens,
                          std::vector<HostAccess>& reads) {
  const auto& shape = plan.summary_map().shape();
  const auto count = plan.summaries(tokens);
  const BlockId first = plan.first_summary_block(request);
  // Interleaved, both tensors of a summary lie side by side and are read together.
  const int tensors =
      shape.layout == KvTensorLayout::kInterleaved ? 1 : plan.tensors_of_summaries();
  for (int tensor = 0; tensor < tensors; ++tensor) {
    reads.push_back({AccessKind::kRead,
                     plan.summary_pools().address(layer, static_cast<KvTensor>(tensor), first, 0),
                     count * shape.record_bytes(), nullptr});
  }
}

void append_summary_writes(const CachePlan& plan, int layer, int request, std::int64_t tokens,
                           std::vector<HostAccess>& writes) {
  const auto& shape = plan.summary_map().shape();
  const auto before = plan.summaries(tokens - 1);
  if (plan.summaries(tokens) == before) return;
  const auto block =
      static_cast<BlockId>(plan.first_summary_block(request) + before / shape.block_tokens);
  const auto place = static_cast<int>(before % shape.block_tokens);
  for (int tensor = 0; tensor < plan.tensors_of_summaries(); ++tensor) {
    writes.push_back(
        {AccessKind::kWrite,
         plan.summary_pools().address(layer, static_cast<KvTensor>(tensor), block, place),
         shape.token_bytes(), nullptr});
  }
}

}  // namespace lockstep
