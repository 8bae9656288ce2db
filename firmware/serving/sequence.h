// A request that the server works on, and its block table.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kv/block.h"
#include "firmware/workload/request.h"

namespace lockstep {

struct Sequence {
  SequenceId id = 0;           // the request's id
  std::int32_t tokens = 0;     // in the cache, or to be put there by the next admission
  std::int32_t generated = 0;  // output tokens so far, kept over a preemption
  std::int32_t final_tokens = 0;
  std::int32_t output_tokens = 0;
  std::int32_t preemptions = 0;
  std::int64_t admitted_step = 0;   // the latest admission
  std::uint64_t table_version = 0;  // grows when the table changes other than at its end
  std::vector<BlockId> blocks;      // block i holds tokens [i, i + 1) x block_tokens

  bool finished() const { return generated >= output_tokens; }
};

}  // namespace lockstep
