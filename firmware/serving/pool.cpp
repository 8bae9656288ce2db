#include "firmware/serving/pool.h"

#include <limits>
#include <string>

#include "tlm/contract/errors.h"

namespace lockstep {

std::int32_t pool_blocks(double headroom, std::int32_t max_batch, Span<Request> requests,
                         std::int32_t block_tokens, std::int32_t blocks_per_region,
                         PoolRounding rounding) {
  if (requests.size() == 0) throw InputError("a pool cannot be sized without requests");
  std::int64_t tokens = 0;
  for (const auto& request : requests) {
    tokens += std::int64_t{request.prompt_tokens} + request.output_tokens;
  }
  const auto mean =
      static_cast<std::int64_t>(static_cast<double>(tokens) / static_cast<double>(requests.size()));
  // Truncation, and the order of the products, are the placement study's: a pool one block larger
  // is another experiment.
  const double blocks = headroom * max_batch * blocks_for(mean + 1, block_tokens);
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  if (!(blocks >= 1 && blocks <= kMost - blocks_per_region)) {
    throw SettingError("kv.headroom", "headroom " + std::to_string(headroom) + " and batch " +
                                          std::to_string(max_batch) +
                                          " give no pool of 1 to 2^31 - 1 blocks");
  }
  const auto pool = static_cast<std::int32_t>(blocks);
  if (rounding == PoolRounding::kBlock) return pool;
  return blocks_for(pool, blocks_per_region) * blocks_per_region;
}

}  // namespace lockstep
