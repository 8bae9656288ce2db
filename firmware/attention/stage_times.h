// Where the clocks of attention go, by stage, as seen in the commands of a stack.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tlm/contract/units.h"

namespace lockstep {

enum class PimStage : std::uint8_t {
  kKvWrite,
  kQueryLoad,
  kScore,
  kScoreDrain,
  kSoftmax,
  kScalarLoad,
  kContext,
  kContextDrain,
  kRefresh,
  kOtherChannels,
};
constexpr std::size_t kPimStageCount = 10;

struct PimStageTraits {
  PimStage stage;
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<PimStageTraits, kPimStageCount> kPimStages = {{
    // clang-format off
    {PimStage::kKvWrite,       "kv_write",       "new keys and values go to their rows"},
    {PimStage::kQueryLoad,     "query_load",     "query slices go to the global buffer"},
    {PimStage::kScore,         "score",          "K columns, and the row commands they wait for"},
    {PimStage::kScoreDrain,    "score_drain",    "scores go to the buffer die"},
    {PimStage::kSoftmax,       "softmax",        "nothing goes but the softmax unit"},
    {PimStage::kScalarLoad,    "scalar_load",    "probabilities go to the banks"},
    {PimStage::kContext,       "context",        "V columns, and the row commands they wait for"},
    {PimStage::kContextDrain,  "context_drain",  "weighted values go to the buffer die"},
    {PimStage::kRefresh,       "refresh",        "refresh, and the precharges for it"},
    {PimStage::kOtherChannels, "other_channels", "this channel has finished, others have not"},
    // clang-format on
}};

// Clocks that each stage adds to the time of the channel: they sum to that time. Work that goes on
// beside another stage's commands is hidden, and counted there.
struct PimStageTimes {
  std::array<Cycles, kPimStageCount> exposed{};
  Cycles softmax_span;  // from the issue of each softmax to the first use of its probabilities

  Cycles& operator[](PimStage stage) { return exposed[static_cast<std::size_t>(stage)]; }
  const Cycles& operator[](PimStage stage) const {
    return exposed[static_cast<std::size_t>(stage)];
  }
  Cycles total() const {
    Cycles sum;
    for (const Cycles part : exposed) sum += part;
    return sum;
  }
  PimStageTimes& operator+=(const PimStageTimes& other) {
    for (std::size_t i = 0; i < kPimStageCount; ++i) exposed[i] += other.exposed[i];
    softmax_span += other.softmax_span;
    return *this;
  }
};

// Watches the commands of one channel of a stack.
class StageProbe {
 public:
  virtual ~StageProbe() = default;
  // Of the commands since the last call; `begin` to `end` is when the caller had them executed.
  virtual PimStageTimes take(Cycles begin, Cycles end) = 0;
};

}  // namespace lockstep
