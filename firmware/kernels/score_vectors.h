// Block tables to score, read from a JSON file, and their scores as CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/kernels/command_stream.h"
#include "firmware/kernels/kv_layout.h"
#include "firmware/kernels/score.h"

namespace lockstep {

struct ExpectedScore {
  Score counts;
  double m1 = 0, m2 = 0, m3_gbps = 0;
};

struct ScoreVector {
  std::string address_map;  // a name of kAddressMaps, or a field list
  KvShape shape;
  Reorder reorder;
  std::int64_t tokens = 0;
  std::vector<BlockId> blocks;
  std::optional<ExpectedScore> expected;
};

// Parses `text`: an array of objects, each with `tokens`, `block_tokens`, `kv_bytes_per_token`,
// `address_map`, `reorder`, `window`, `block_table` (which
// may hold spare blocks at its end); optionally the labels `allocator`, `step`,
// `seq`, and all or none of the expected `bursts`, `commands`, `hits`, `m1`, `m2`, `m3_gbps`.
// Throws InputError with all mistakes, one `file: vector N: …` a line (`file:line:column: …` where
// the text is no JSON). `file` is only for these messages.
std::vector<ScoreVector> parse_score_vectors(std::string_view text, std::string_view file,
                                             const StackGeometry& geometry);

Score score_of(const ScoreVector& vector, const StackGeometry& geometry);

// A header, then `index,bursts,commands,hits,m1,m2,m3_gbps` of each vector, in any locale the same.
std::string score_csv(Span<ScoreVector> vectors, const StackGeometry& geometry,
                      const FormulaTiming& timing);

}  // namespace lockstep
