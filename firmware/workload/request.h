// One request of a serving trace, with its arrival already in engine iterations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

struct Request {
  std::int32_t id = 0;
  std::int64_t arrival_step = 0;  // engine iteration at which it joins the queue
  std::int32_t prompt_tokens = 0;
  std::int32_t output_tokens = 0;
  std::int32_t prefix_id = -1;     // requests with the same id begin with the same tokens; -1: none
  std::int32_t prefix_tokens = 0;  // how many of the prompt's tokens that common beginning has
  // Identity of each `hash_block_tokens` tokens of the prompt, where the trace tells it; the last
  // may cover a partial block. Empty when the trace has no such ids.
  std::vector<std::uint64_t> hash_ids;
  std::int32_t hash_block_tokens = 0;
};

// How many of the leading ids name a whole block. An id of a partial block identifies tokens that
// the next request with that id need not have, so it must not be shared.
inline std::int64_t shareable_hash_blocks(const Request& request) {
  if (request.hash_block_tokens == 0) return 0;
  return std::min<std::int64_t>(static_cast<std::int64_t>(request.hash_ids.size()),
                                request.prompt_tokens / request.hash_block_tokens);
}

}  // namespace lockstep
