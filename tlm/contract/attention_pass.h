// The data of attention passes: what the firmware hands over with a kernel when the banks are to
// compute and not only to be timed. A pass is one KV head of one layer of one sequence.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tlm/contract/mac_arithmetic.h"

namespace lockstep {

constexpr std::int32_t kNoToken = -1;

// What a bank holds of K and V. A unit works on fp16: narrower elements are decoded to the fp16
// number of the same value, and a column of 32 of them takes two beats of 16 lanes. bf16 becomes
// the nearest fp16 number: exact from 2^-17 to 65280 and for 0, infinite above.
enum class KvElement : std::uint8_t { kFp16, kInt8, kFp8E4m3, kFp8E5m2, kBf16 };
struct KvElementTraits {
  KvElement element;
  std::string_view name;
  int bytes;
  int beats;  // of a 32 B column
};
constexpr std::array<KvElementTraits, 5> kKvElements = {{
    // clang-format off
    {KvElement::kFp16,    "fp16",     2, 1},
    {KvElement::kInt8,    "int8",     1, 2},
    {KvElement::kFp8E4m3, "fp8_e4m3", 1, 2},
    {KvElement::kFp8E5m2, "fp8_e5m2", 1, 2},
    {KvElement::kBf16,    "bf16",     2, 1},
    // clang-format on
}};
constexpr const KvElementTraits& traits(KvElement element) {
  return kKvElements[static_cast<std::size_t>(element)];
}

// Which columns a chunk's places are those of: K and V may lie in the same banks and slots or not.
enum class ChunkOf : std::uint8_t { kKeysAndValues, kKeys, kValues };

// The tokens that the bank units hold at once: kMacTokens slots in every bank of the lockstep
// scope. Every token has one place for its key and one for its value.
struct PassChunk {
  // Token of slot s and bank b at [s * banks + b], banks numbered as Topology does inside the
  // scope; kNoToken where the bank has none: it takes no part there. Slots from the end of the
  // list on are empty.
  std::vector<std::int32_t> token_of;
  ChunkOf of = ChunkOf::kKeysAndValues;
};

// One channel's part of a pass. The channels of one head carry the same `head_pass` and
// `head_channels`.
//
// In the order of issue (hw/pim/functional_channel.h):
// - WRGB fills the channel's global buffer, which DOT reads: 32 B of index (query * parts + part) *
//   beats + beat.
// - MAC: of the i-th command of a run, i % repeats = group * beats + beat, and repeats =
//   ceil((queries - first_query) / queries_per_column) * beats at most. The group serves queries
//   first_query + group * queries_per_column and the queries_per_column - 1 after it, as far as
//   there are; the beat works on elements 16 beat … 16 beat + 15 of the column.
// - The first DOT of a chunk clears all scores, the first AXPY of a pass all lanes.
// - MVSB of scores: burst b holds slots 8 (b % 2) … + 7 of query b / 2. Of lanes: burst b holds
//   half b % 2 of lane set b / 2, numbered as the operands are. Bursts of banks or queries without
//   tokens may be moved; they change nothing.
// - SFM: the softmax covers the whole pass, whatever its chunks. It is done once every channel of
//   the head has issued an SFM after moving all scores of all chunks. One SFM at the end will do;
//   those before count nothing. MVGB and AXPY of a pass come after that SFM.
// - The pass is finished when all columns of K and V have been read, and the lanes of all banks
//   with tokens have been moved.
//
// A pass may be done by several kernels, so that the host can choose late what to attend to: those
// that only score have chunks of keys, no SFM, and leave the scores on the die (`keeps_scores`).
// The last one scores the tokens that are left, if any, and then has the softmax and the values; a
// token that has no value in its chunks is masked out. It may begin with its SFM.
struct PassData {
  std::int64_t head_pass = 0;    // identity of the pass in a run, equal in all channels of the head
  int head_channels = 1;         // lockstep domains that share the head
  int head_channel = 0;          // which of them this is: its dims begin at head_channel x dims()
  int queries = 1;               // of the GQA group
  int parts = 2;                 // columns of a token in this channel
  std::int32_t tokens = 0;       // numbered 0 … tokens - 1: attended, or scored and masked out
  float scale = 1;               // of the scores: 1 / sqrt(head_dim) x that of quantized keys
  std::vector<Column> operands;  // fp16 query slices, [query][part][beat]
  std::vector<PassChunk> chunks;
  int queries_per_column = 1;  // served by one MAC command
  KvElement element = KvElement::kFp16;
  float value_scale = 1;           // of quantized values: acc is multiplied by it
  std::int32_t scored_before = 0;  // tokens 0 … scored_before - 1 have their scores on the die
  bool keeps_scores = false;       // there is a later kernel of this pass

  int beats() const { return traits(element).beats; }
  int dims() const { return parts * beats() * kMacLanes; }  // of this channel
  int lane_sets() const { return queries * parts * beats(); }
  int lane_set(int query, int part, int beat) const {
    return (query * parts + part) * beats() + beat;
  }
  bool all_attended() const { return scored_before == 0 && !keeps_scores; }
  int groups() const { return (queries + queries_per_column - 1) / queries_per_column; }
};

// Passes by the index that PimRun::pass names. A pass belongs to one KernelData.
using KernelData = std::vector<PassData>;

// A finished pass, summed over banks and channels: softmax state and weighted values of each query,
// fp32. The attention output is acc / l; partial results of one query merge by (m, l, acc).
struct PassResult {
  std::int64_t head_pass = 0;
  std::vector<float> m;    // [query]: largest scaled score; NaN if one is
  std::vector<float> l;    // [query]: sum of the fp16 probabilities exp(score - m), in token order
  std::vector<float> acc;  // [query][head_dim], dims of the channels in order of head_channel
};

}  // namespace lockstep
