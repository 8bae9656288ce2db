// How large a KV pool to give a workload.
#pragma once

#include <cstdint>

#include "firmware/kv/allocator.h"
#include "firmware/workload/request.h"

namespace lockstep {

// Blocks of `block_tokens` that hold `tokens` tokens.
constexpr std::int32_t blocks_for(std::int64_t tokens, std::int32_t block_tokens) {
  return static_cast<std::int32_t>((tokens + block_tokens - 1) / block_tokens);
}

// `headroom` times what `max_batch` requests of the mean final length take, in blocks, rounded up
// to whole regions where the policy needs it. Throws InputError if there is no request, or if the
// pool is empty or has more than 2^31 - 1 blocks.
std::int32_t pool_blocks(double headroom, std::int32_t max_batch, Span<Request> requests,
                         std::int32_t block_tokens, std::int32_t blocks_per_region,
                         PoolRounding rounding);

}  // namespace lockstep
