// The data of attention passes: what the firmware hands over with a kernel when the banks are to
// compute and not only to be timed. A pass is one KV head of one layer of one sequence.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/contract/mac_arithmetic.h"

namespace lockstep {

constexpr std::int32_t kNoToken = -1;

// The tokens that the bank units hold at once: kMacTokens slots in every bank of the lockstep scope.
struct PassChunk {
  // Token of slot s and bank b at [s * banks + b], banks numbered as Topology does; kNoToken where
  // the bank has none: it takes no part there.
  std::vector<std::int32_t> token_of;
};

// One channel's part of a pass. The channels of one head carry the same `head_pass` and `head_parts`.
struct PassData {
  std::int64_t head_pass = 0;  // identity of the pass, equal in all channels of the head
  int head_channels = 1;       // lockstep domains that share the head
  int head_channel = 0;        // which of them this is: it holds dims head_channel x parts x 16 ...
  int queries = 1;             // of the GQA group
  int parts = 2;               // columns of a token in this channel
  std::int32_t tokens = 0;     // attended, numbered 0 … tokens - 1
  float scale = 1;             // of the scores: 1 / sqrt(head_dim)
  std::vector<Column> operands;  // fp16 query slices, [query][part]
  std::vector<PassChunk> chunks;
};

// Passes by the index that PimRun::pass names.
using KernelData = std::vector<PassData>;

// A finished pass, summed over banks and channels: softmax state and weighted values of each query,
// fp32. The attention output is acc / l; partial results of one query merge by (m, l, acc).
struct PassResult {
  std::int64_t head_pass = 0;
  std::vector<float> m;    // [query]: largest scaled score
  std::vector<float> l;    // [query]: sum of the fp16 probabilities exp(score - m)
  std::vector<float> acc;  // [query][head_dim]
};

}  // namespace lockstep
