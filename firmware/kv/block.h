// A block of the paged KV cache: `block_tokens` consecutive tokens of one sequence, named by its
// index in the pool. Block b of the pool starts at byte b x block bytes of the stack.
#pragma once

#include <cstdint>

namespace lockstep {

using BlockId = std::int32_t;
using SequenceId = std::int32_t;

}  // namespace lockstep
