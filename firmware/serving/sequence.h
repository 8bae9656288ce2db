// A request that the server works on, and its block table.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kv/block.h"
#include "firmware/workload/request.h"

namespace lockstep {

struct Sequence {
  SequenceId id = 0;                 // the request's id
  const Request* request = nullptr;  // lives as long as the ServingLoop
  std::int32_t tokens = 0;           // in the cache, or to be put there by the next admission
  std::int32_t generated = 0;        // output tokens so far, kept over a preemption
  std::int32_t preemptions = 0;
  std::int64_t admitted_step = 0;   // the latest admission
  std::uint64_t table_version = 0;  // grows when the table changes other than at its end
  std::int32_t shared_blocks = 0;   // this many at the table's start came from a shared prefix
  std::vector<BlockId> blocks;      // block i holds tokens [i, i + 1) x block_tokens

  std::int32_t final_tokens() const { return request->prompt_tokens + request->output_tokens; }
  std::int32_t tokens_to_come() const { return request->output_tokens - generated; }
};

}  // namespace lockstep
