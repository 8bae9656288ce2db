#include "firmware/sparse/summary_accesses.h"

namespace lockstep {

void append_summary_reads(const SparseConfig& config, const CachePlan& plan, int layer, int request,
                          std::int64_t tokens, std::vector<HostAccess>& reads) {
  const auto& shape = config.shape;
  const auto count = config.summaries_of(tokens);
  const BlockId first = plan.first_summary_block(request);
  // Interleaved, both tensors of a summary lie side by side and are read together.
  const int tensors = shape.layout == KvTensorLayout::kInterleaved ? 1 : config.scorer().tensors;
  for (int tensor = 0; tensor < tensors; ++tensor) {
    reads.push_back({AccessKind::kRead,
                     plan.summary_pools().address(layer, static_cast<KvTensor>(tensor), first, 0),
                     count * shape.record_bytes(), nullptr});
  }
}

void append_summary_writes(const SparseConfig& config, const CachePlan& plan, int layer,
                           int request, std::int64_t tokens, std::vector<HostAccess>& writes) {
  const auto& shape = config.shape;
  const auto before = config.summaries_of(tokens - 1);
  if (config.summaries_of(tokens) == before) return;
  const auto block =
      static_cast<BlockId>(plan.first_summary_block(request) + before / shape.block_tokens);
  const auto place = static_cast<int>(before % shape.block_tokens);
  for (int tensor = 0; tensor < config.scorer().tensors; ++tensor) {
    writes.push_back(
        {AccessKind::kWrite,
         plan.summary_pools().address(layer, static_cast<KvTensor>(tensor), block, place),
         shape.token_bytes(), nullptr});
  }
}

}  // namespace lockstep
