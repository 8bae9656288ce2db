// Logs of allocator operations as JSON, for comparing a policy block by block with another
// implementation. A file is an array of logs:
//
//   [{"policy": "region", "pool_blocks": 96, "blocks_per_region": 8,
//     "ops": [["admit", 0, 2, [0, 1]], ["append", 0, 1, [2]], ["release", 0, 3, [0, 1, 2]]]}]
//
// An operation is [kind, sequence, blocks, ids]; the ids say what that implementation returned, and
// may be left out. `scratch` takes branch blocks and `unref` gives the sequence's latest back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kv/allocator.h"

namespace lockstep {

enum class OplogKind { kAdmit, kAppend, kScratch, kUnref, kRelease };

struct OplogOperation {
  OplogKind kind = OplogKind::kAdmit;
  SequenceId sequence = 0;
  std::int32_t blocks = 0;
  std::int32_t final_blocks = 0;  // of an admit: what the sequence will need until its release
  std::vector<BlockId> ids;       // as recorded; empty if the file has none
};

struct Oplog {
  std::string policy;  // as the file spells it: `_` for `-`; `_shared_scratch` may be appended
  PoolConfig pool;
  std::vector<OplogOperation> operations;
};

// Throws InputError with every mistake of the file, one a line: syntax as `file:line:column: …`,
// the rest as `file: log 0, op 3: …`, both counted from 0.
std::vector<Oplog> parse_oplogs(const std::string& text, const std::string& file);
std::vector<Oplog> read_oplogs(const std::string& file);

// The log with the ids that our policy returns, as one line of JSON in the shape above. An
// operation that could not be placed has null for ids, and so has all that follows for a sequence
// never placed. Throws InputError if the pool does not suit the policy.
std::string replay(const Oplog& log);

}  // namespace lockstep
