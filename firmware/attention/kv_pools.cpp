#include "firmware/attention/kv_pools.h"

#include <algorithm>

#include <fmt/format.h>

#include "tlm/contract/errors.h"

namespace lockstep {

KvPools::KvPools(const KvTensorMap& map, int layers, std::int64_t pool_blocks)
    : map_(&map),
      rows_per_pool_((pool_blocks * map.shape().block_bytes() + map.region_bytes() - 1) /
                     map.region_bytes()) {
  const auto pools = static_cast<std::int64_t>(layers) * map.shape().pools_per_layer();
  const std::int64_t rows = map.geometry().rows;
  if (pools * rows_per_pool_ <= rows) return;
  throw SettingError(
      "kv.headroom",
      fmt::format(
          "the KV cache does not fit: {} layers x {} pools of {} blocks x {} B take {} rows of "
          "each "
          "bank, but a bank has {}; lower attention.layers, kv.headroom, serving.max_batch or the "
          "lengths of the workload",
          layers, map.shape().pools_per_layer(), pool_blocks, map.shape().block_bytes(),
          pools * rows_per_pool_, rows));
}

std::int32_t KvPools::first_row(int layer, KvTensor tensor) const {
  const int pools = map_->shape().pools_per_layer();
  const int pool = layer * pools + (pools > 1 && tensor == KvTensor::kValue ? 1 : 0);
  return static_cast<std::int32_t>(pool * rows_per_pool_);
}

std::uint64_t KvPools::address(int layer, KvTensor tensor, BlockId block, int token) const {
  return static_cast<std::uint64_t>(first_row(layer, tensor)) *
             static_cast<std::uint64_t>(map_->region_bytes()) +
         map_->offset(tensor, block, token);
}

void KvPools::append_writes(int layer, Span<BlockId> blocks, std::int64_t first, std::int64_t last,
                            std::vector<HostAccess>& writes) const {
  const auto& shape = map_->shape();
  const std::int64_t block_tokens = shape.block_tokens;
  while (first < last) {
    const auto count = std::min(block_tokens - first % block_tokens, last - first);
    const BlockId block = blocks[static_cast<std::size_t>(first / block_tokens)];
    const auto token = static_cast<int>(first % block_tokens);
    for (int pool = 0; pool < shape.pools_per_layer(); ++pool) {
      const auto tensor = pool == 0 ? KvTensor::kKey : KvTensor::kValue;
      writes.push_back({AccessKind::kWrite, address(layer, tensor, block, token),
                        count * shape.record_bytes(), nullptr});
    }
    first += count;
  }
}

}  // namespace lockstep
