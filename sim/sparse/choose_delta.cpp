#include "sim/sparse/choose_delta.h"

#include <algorithm>
#include <array>
#include <utility>

#include "firmware/dsa/speculation_budget.h"
#include "firmware/sparse/sparse_run.h"
#include "sim/sparse/sparse_stacks.h"

namespace lockstep {
namespace {

constexpr std::int64_t kProfiledTokens = 4;

// One sparse layer, a few tokens. Measures by stage, in us a token.
class Profiler {
 public:
  Profiler(const RunConfig& run, SparseConfig sparse, const FittedSource& scores)
      : run_(run), sparse_(std::move(sparse)), scores_(scores) {
    sparse_.decode_tokens = std::min(sparse_.decode_tokens, kProfiledTokens);
    sparse_.simulated_layers = 1;
    sparse_.layers = 1;
    sparse_.selector.dense_layers = 0;
  }

  // From scoring to a list that the stack can run, without speculation beside it.
  double window_us() {
    measure(Schedule::kSerial);
    // A doorbell goes before it, and a sync notices the end of attention.
    const double apart_us = (sparse_.hand_off.doorbell_ns + sparse_.hand_off.sync_ns) / 1e3;
    const double hand_off_us = busy_us(SparseStage::kHandOff) - apart_us;
    // Banks that score blocks cannot attend meanwhile.
    const bool beside =
        sparse_.summaries != SummaryHome::kSame || sparse_.selection == SelectionEngine::kXpu;
    return busy_us(SparseStage::kTopK) + hand_off_us +
           (beside ? busy_us(SparseStage::kSelection) : 0);
  }

  struct Costs {
    double speculation_us = 0;
    double repair_us = 0;  // until the firmware knows of it, and the merge
  };
  Costs costs(double delta) {
    sparse_.delta = delta;
    measure(Schedule::kPredictRepair);
    return {busy_us(SparseStage::kSpeculation),
            busy_us(SparseStage::kRepair) + busy_us(SparseStage::kMerge) +
                repaired_share() * sparse_.hand_off.sync_ns / 1e3};
  }

 private:
  void measure(Schedule schedule) {
    const SparseParts parts(run_, sparse_, scores_.source);
    SparseDirectStacks stacks(run_.stack, sparse_);
    result_ = SparseRun(parts.config, parts.plan, parts.lists, schedule, run_.stack.clock)
                  .run(stacks.ports(), nullptr);
  }
  double busy_us(SparseStage stage) const {
    return result_.busy_ns[static_cast<std::size_t>(stage)] / 1e3 /
           static_cast<double>(sparse_.decode_tokens);
  }
  // Of the steps, those with something to do after the guess.
  double repaired_share() const {
    const auto repaired =
        std::count_if(result_.steps.begin(), result_.steps.end(), [](const SparseStep& step) {
          return step.busy_ns[static_cast<std::size_t>(SparseStage::kRepair)] +
                     step.busy_ns[static_cast<std::size_t>(SparseStage::kMerge)] >
                 0;
        });
    return static_cast<double>(repaired) / static_cast<double>(result_.steps.size());
  }

  const RunConfig& run_;
  SparseConfig sparse_;
  const FittedSource& scores_;
  SparseResult result_;
};

}  // namespace

double chosen_delta(const RunConfig& run, const SparseConfig& sparse, const FittedSource& scores) {
  Profiler profiler(run, sparse, scores);
  LatencySample sample;
  sample.context_tokens = sparse.context_tokens;
  sample.selection_us = profiler.window_us();
  std::array<double, kDeltas.size()> repair_us{};
  for (std::size_t i = 0; i < kDeltas.size(); ++i) {
    const auto costs = profiler.costs(kDeltas[i]);
    sample.speculation_us[i] = costs.speculation_us;
    repair_us[i] = costs.repair_us;
  }
  if (sparse.delta_rule == DeltaRule::kLargestSafe) {
    const double safe = LatencyProfile({sample}, 0).largest_safe_delta(sparse.context_tokens);
    return safe > 0 ? safe : kDeltas.front();
  }
  const auto index = [](double delta) {
    return static_cast<std::size_t>(std::find(kDeltas.begin(), kDeltas.end(), delta) -
                                    kDeltas.begin());
  };
  return latency_optimal_delta({sample.selection_us,
                                [&](double delta) { return sample.speculation_us[index(delta)]; },
                                [&](double delta) { return repair_us[index(delta)]; }});
}

}  // namespace lockstep
