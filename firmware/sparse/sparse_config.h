// A decode run with sparse attention on the stack: what is decoded, how blocks are selected and
// predicted, where things lie, and what the steps between the parts cost (docs/dsa.md, on the
// stack).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/attention/kv_tensor_map.h"
#include "firmware/attention/query_split.h"
#include "firmware/attention/step_kernel.h"
#include "firmware/attention/xpu.h"
#include "firmware/dsa/predictor.h"
#include "firmware/dsa/row_lists.h"
#include "firmware/dsa/selector.h"
#include "firmware/dsa/sparse_attention.h"
#include "firmware/dsa/timeline.h"

namespace lockstep {

// Who scores the blocks: the bank units, or the processor from summaries that it reads.
enum class SelectionEngine : std::uint8_t { kPim, kXpu };
constexpr std::array<std::string_view, 2> kSelectionEngines = {"pim", "xpu"};

// Where the summaries lie: in the channels of K and V, in a second stack of the same kind, in
// channels of the one stack that hold nothing else, or in the processor's own memory.
enum class SummaryHome : std::uint8_t { kSame, kOther, kReserved, kXpu };
constexpr std::array<std::string_view, 4> kSummaryHomes = {"same", "other", "reserved", "xpu"};

// plain: the best K, the best delta x K. row_aware: P takes as long, but is chosen by worth per
// nanosecond. regions: A itself is whole regions that take as long as the best K.
enum class ListRule : std::uint8_t { kPlain, kRowAware, kRegions };
constexpr std::array<std::string_view, 3> kListRules = {"plain", "row_aware", "regions"};

// sequential: block after block. shuffled: as a pool leaves it in which others came and went.
// packed: sequential, and copies of the blocks of highest predicted score in rows of their own.
enum class BlockPlacement : std::uint8_t { kSequential, kShuffled, kPacked };
constexpr std::array<std::string_view, 3> kBlockPlacements = {"sequential", "shuffled", "packed"};

// What requests of a batch do for each other: none, all parts one after the other; speculative, all
// speculate; inter_request, one's attention runs while another's list is made; hybrid, the same,
// and who would leave the stack idle speculates.
enum class OverlapPolicy : std::uint8_t { kNone, kSpeculative, kInterRequest, kHybrid };
struct OverlapTraits {
  OverlapPolicy policy;
  std::string_view name;
  bool speculates;  // as far as the schedule does
  bool one_by_one;  // each request selects and attends for itself
};
constexpr std::array<OverlapTraits, 4> kOverlapPolicies = {{
    // clang-format off
    {OverlapPolicy::kNone,         "none",          false, false},
    {OverlapPolicy::kSpeculative,  "speculative",   true,  false},
    {OverlapPolicy::kInterRequest, "inter_request", false, true},
    {OverlapPolicy::kHybrid,       "hybrid",        true,  true},
    // clang-format on
}};
constexpr bool overlap_rows_match_enumerators() {
  for (std::size_t i = 0; i < kOverlapPolicies.size(); ++i) {
    if (kOverlapPolicies[i].policy != static_cast<OverlapPolicy>(i)) return false;
  }
  return true;
}
static_assert(overlap_rows_match_enumerators(), "kOverlapPolicies lists every policy, in order");

enum class DeltaRule : std::uint8_t { kFixed, kLargestSafe, kLatencyOptimal };
constexpr std::array<std::string_view, 3> kDeltaRules = {"fixed", "largest_safe",
                                                         "latency_optimal"};

// What lies between the parts of a step. All are latencies of the host and its interface.
struct HandOff {
  double doorbell_ns = 0;      // from the firmware's decision to the first command of a kernel
  double descriptor_ns = 0;    // of a set of lists: building it
  double descriptor_gbps = 0;  // at which 4 B an entry reach the stack
  double sync_ns = 0;          // until the firmware knows that a kernel has ended
  double top_k_ns = 0;         // a launch of the unit
  double top_k_scores_ns = 0;  // scores that it takes in a nanosecond
  double merge_ns = 0;         // a launch
  double merge_gbps = 0;       // at which partial results are read and merged
};

// A number of a partial result or of the predictor's state, and an entry of a list.
constexpr std::int64_t kBytesOfFp32 = 4;
constexpr std::int64_t kBytesOfListEntry = 4;

struct Packing {
  int rows = 0;             // of copies, for each KV head and request
  int copies_per_step = 0;  // at most, for each KV head
};

struct SparseConfig {
  KvTensorShape shape;
  int group = 4;
  QueryUnit unit;
  Pipeline pipeline = Pipeline::kPingPong;
  Xpu xpu;
  LayerShape layer;
  int layers = 1;
  int simulated_layers = 1;  // of the sparse ones; each stands for several where fewer than all

  std::int64_t context_tokens = 0;
  std::int64_t decode_tokens = 0;
  int batch = 1;
  std::vector<std::string> schedules;  // dense, or a name of kSchedules
  SelectorConfig selector;
  std::string trace;    // folder; empty: the process
  std::string process;  // of kProcesses
  double target_reuse_ratio = 0;
  std::int64_t calibration_rows = 0;
  std::optional<Theta> theta;  // nullopt: calibrated, once a layer
  DeltaRule delta_rule = DeltaRule::kFixed;
  double delta = 1;
  RepairMode repair = RepairMode::kUnion;
  ListRule lists = ListRule::kPlain;
  double row_slack = 0;  // share of A that may give way to the next best blocks in open rows
  BlockPlacement placement = BlockPlacement::kSequential;
  Packing packing;
  SelectionEngine selection = SelectionEngine::kPim;
  SummaryHome summaries = SummaryHome::kSame;
  int reserved_channels = 0;  // of kReserved: pseudo channels without K and V
  OverlapPolicy overlap = OverlapPolicy::kSpeculative;
  HandOff hand_off;
  RowCost row_cost;  // of a block and of a row, as the lists weigh them
  std::uint64_t seed = 0;

  std::int64_t blocks() const {  // of a request, at its end
    return (context_tokens + decode_tokens + shape.block_tokens - 1) / shape.block_tokens;
  }
  const OverlapTraits& overlapping() const {
    return kOverlapPolicies[static_cast<std::size_t>(overlap)];
  }
  // Whether anything is attended to before the selection is known.
  bool guesses(Schedule schedule) const {
    return info_of(schedule).speculates && overlapping().speculates;
  }
  // Lists of a layer and request: one a KV head, or one that all share.
  int lists_of_a_layer() const {
    return selector.granularity == Granularity::kLayer ? 1 : shape.kv_heads;
  }
  const ScorerInfo& scorer() const { return scorer_info(selector.scorer); }
  // That the first `tokens` tokens complete, of each tensor.
  std::int64_t summaries_of(std::int64_t tokens) const {
    return scorer().summaries(tokens, shape.block_tokens);
  }
  // (m, l, acc) of one query head.
  std::int64_t partial_bytes() const { return kBytesOfFp32 * (2 + shape.head_dim); }
  // Whether summaries lie in channels without K and V, so that neither disturbs the other.
  bool summaries_apart() const {
    return summaries == SummaryHome::kOther || summaries == SummaryHome::kReserved;
  }
};

}  // namespace lockstep
