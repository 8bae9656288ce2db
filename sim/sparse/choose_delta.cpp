#include "sim/sparse/choose_delta.h"

#include <algorithm>
#include <array>

#include "firmware/dsa/speculation_budget.h"
#include "firmware/sparse/sparse_run.h"
#include "sim/sparse/sparse_stacks.h"

namespace lockstep {
namespace {

constexpr std::int64_t kProfiledTokens = 4;

struct Profile {
  double window_us = 0;  // what speculation can hide behind
  double speculation_us = 0;
  double repair_us = 0;  // with its hand-off and the merge
};

Profile profile_at(const RunConfig& run, SparseConfig sparse, const FittedSource& scores,
                   double delta) {
  sparse.delta = delta;
  sparse.decode_tokens = std::min(sparse.decode_tokens, kProfiledTokens);
  sparse.simulated_layers = 1;
  sparse.layers = 1;
  sparse.selector.dense_layers = 0;
  const SparseParts parts(run, sparse, scores.source);
  SparseDirectStacks stacks(run.stack, sparse);
  SparseRun s3(parts.config, parts.plan, parts.lists, Schedule::kPredictRepair, run.stack.clock);
  const auto result = s3.run(stacks.ports(), nullptr);
  const auto busy = [&](SparseStage stage) {
    return result.busy_ns[static_cast<std::size_t>(stage)] / 1e3 /
           static_cast<double>(sparse.decode_tokens);
  };
  Profile profile;
  profile.window_us = busy(SparseStage::kTopK) + busy(SparseStage::kHandOff);
  // Banks that score blocks cannot attend meanwhile.
  const bool beside =
      sparse.summaries != SummaryHome::kSame || sparse.selection == SelectionEngine::kXpu;
  if (beside) profile.window_us += busy(SparseStage::kSelection);
  profile.speculation_us = busy(SparseStage::kSpeculation);
  profile.repair_us = busy(SparseStage::kRepair) + busy(SparseStage::kMerge);
  return profile;
}

}  // namespace

double chosen_delta(const RunConfig& run, const SparseConfig& sparse, const FittedSource& scores) {
  LatencySample sample;
  sample.context_tokens = sparse.context_tokens;
  std::array<Profile, kDeltas.size()> profiles{};
  for (std::size_t i = 0; i < kDeltas.size(); ++i) {
    profiles[i] = profile_at(run, sparse, scores, kDeltas[i]);
    sample.speculation_us[i] = profiles[i].speculation_us;
    sample.selection_us = profiles[i].window_us;
  }
  if (sparse.delta_rule == DeltaRule::kLargestSafe) {
    const double safe = LatencyProfile({sample}, 0).largest_safe_delta(sparse.context_tokens);
    return safe > 0 ? safe : kDeltas.front();
  }
  const auto at = [&](double delta) -> const Profile& {
    const auto* found = std::find(kDeltas.begin(), kDeltas.end(), delta);
    return profiles[static_cast<std::size_t>(found - kDeltas.begin())];
  };
  return latency_optimal_delta({sample.selection_us,
                                [&](double delta) { return at(delta).speculation_us; },
                                [&](double delta) { return at(delta).repair_us; }});
}

}  // namespace lockstep
