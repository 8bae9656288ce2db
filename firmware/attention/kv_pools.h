// Where the pools of K and V of every layer lie in the stack: one after the other, each from a
// region of its own on. Block b of a pool begins at b x block bytes of it.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/attention/kv_tensor_map.h"
#include "tlm/contract/span.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

class KvPools {
 public:
  // `map` outlives the pools. Throws InputError if `layers` layers of `pool_blocks` blocks do not
  // fit the stack.
  KvPools(const KvTensorMap& map, int layers, std::int64_t pool_blocks);

  // The row at which the pool begins.
  std::int32_t first_row(int layer, KvTensor tensor) const;
  // Of the first byte of a token: all its heads follow.
  std::uint64_t address(int layer, KvTensor tensor, BlockId block, int token) const;

  // The writes that put tokens [first, last) of a sequence into K and V of `layer`, a piece of a
  // block each.
  void append_writes(int layer, Span<BlockId> blocks, std::int64_t first, std::int64_t last,
                     std::vector<HostAccess>& writes) const;

 private:
  const KvTensorMap* map_;
  std::int64_t rows_per_pool_;  // regions
};

}  // namespace lockstep
