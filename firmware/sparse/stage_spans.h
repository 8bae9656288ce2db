// When each part of a layer ran, and what of it the layer had to wait for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tlm/contract/units.h"

namespace lockstep {

// In the order in which an instant with several parts under way is charged: to the one that the
// others hide behind.
enum class SparseStage : std::uint8_t {
  kQkv,
  kKvWrite,
  kSelection,
  kTopK,
  kHandOff,
  kAttention,
  kSpeculation,
  kRepair,
  kMerge,
  kProjection,
  kFfn,
  kCopies,
};
constexpr std::size_t kSparseStageCount = 12;

struct SparseStageTraits {
  SparseStage stage;
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<SparseStageTraits, kSparseStageCount> kSparseStages = {{
    // clang-format off
    {SparseStage::kQkv,         "qkv",         "processor: query, key and value"},
    {SparseStage::kKvWrite,     "kv_write",    "new keys, values and summaries go to their rows"},
    {SparseStage::kSelection,   "selection",   "blocks are scored from their summaries"},
    {SparseStage::kTopK,        "top_k",       "the best K of them are found"},
    {SparseStage::kHandOff,     "hand_off",    "doorbells, lists on their way, ends that are noticed"},
    {SparseStage::kAttention,   "attention",   "over a known list, or all tokens; a miss repeats it in S1"},
    {SparseStage::kSpeculation, "speculation", "attention over the guess"},
    {SparseStage::kRepair,      "repair",      "attention over what the guess missed"},
    {SparseStage::kMerge,       "merge",       "partial results become one"},
    {SparseStage::kProjection,  "projection",  "processor: output projection"},
    {SparseStage::kFfn,         "ffn",         "processor"},
    {SparseStage::kCopies,      "copies",      "blocks are copied to packed rows, beside the processor"},
    // clang-format on
}};

constexpr bool sparse_rows_match_enumerators() {
  for (std::size_t i = 0; i < kSparseStageCount; ++i) {
    if (kSparseStages[i].stage != static_cast<SparseStage>(i)) return false;
  }
  return true;
}
static_assert(sparse_rows_match_enumerators(), "kSparseStages lists every stage, in order");

template <typename T>
using PerStage = std::array<T, kSparseStageCount>;

class StageSpans {
 public:
  // `end` may not lie before `begin`.
  void add(SparseStage stage, Cycles begin, Cycles end);

  PerStage<Cycles> busy() const;
  // Every instant from the first begin to the last end goes to the first stage, in the order of
  // the enumeration, that is under way; an instant without any is a bug (InternalError).
  PerStage<Cycles> exposed() const;

 private:
  struct Part {
    SparseStage stage;
    Cycles begin;
    Cycles end;
  };
  std::vector<Part> parts_;
};

}  // namespace lockstep
