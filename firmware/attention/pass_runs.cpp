#include "firmware/attention/pass_runs.h"

#include <algorithm>

#include "tlm/contract/mac_unit.h"

namespace lockstep {
namespace {

constexpr int kBurstsOfScores = kMacTokens / kDrainWords;  // of one query
constexpr int kBurstsOfLanes = kMacLanes / kDrainWords;    // of one lane set

class PassWriter {
 public:
  PassWriter(const KvTensorMap& map, int local_head, const QueryGroup& group)
      : map_(map), local_head_(local_head), group_(group) {}

  // Bank groups in turn, so that transfers are nCCDS apart.
  void load_queries(PimKernel& kernel) const {
    const int bursts = group_.queries * map_.parts() * map_.beats();
    for (int burst = 0; burst < bursts; ++burst) {
      PimRun run;
      run.op = PimOp::kWrGb;
      run.bank_group = static_cast<std::uint8_t>(burst % map_.geometry().bank_groups);
      run.first_burst = static_cast<std::int16_t>(burst);
      for (int p = 0; p < map_.channels_per_domain(); ++p) {
        run.pseudo_channel = static_cast<std::uint8_t>(p);
        kernel.push_back(run);
      }
    }
  }

  // The columns of stripes first … last - 1, merged where they run on.
  void columns(PimKernel& kernel, MacWork work, const std::vector<Stripe>& stripes,
               std::size_t first, std::size_t last, int chunk) const {
    const int parts = map_.parts();
    bool merging = false;
    for (std::size_t i = first; i < last; ++i) {
      for (int part = 0; part < parts; ++part) {
        const std::int32_t column =
            stripes[i].column | map_.head_column(local_head_) | map_.part_column(part);
        if (merging && kernel.back().row == stripes[i].row &&
            kernel.back().column + kernel.back().columns == column) {
          ++kernel.back().columns;
          continue;
        }
        PimRun run;
        run.op = PimOp::kMacAb;
        run.work = work;
        run.part = static_cast<std::uint8_t>(part);
        run.parts = static_cast<std::uint8_t>(parts);
        run.slot = static_cast<std::uint8_t>(i - first);
        run.chunk = static_cast<std::int16_t>(chunk);
        run.row = stripes[i].row;
        run.column = column;
        run.repeats = group_.repeats * map_.beats();
        kernel.push_back(run);
        merging = true;
      }
    }
  }

  // Only the bursts that hold scores of the chunk's slots.
  void drain_scores(PimKernel& kernel, int slots, int chunk) const {
    PimRun run;
    run.op = PimOp::kMvSb;
    run.drain = DrainFrom::kScores;
    run.chunk = static_cast<std::int16_t>(chunk);
    if (slots > kDrainWords) {
      moves(kernel, run, group_.queries * kBurstsOfScores);
      return;
    }
    for (int query = 0; query < group_.queries; ++query) {
      run.first_burst = static_cast<std::int16_t>(query * kBurstsOfScores);
      moves(kernel, run, 1);
    }
  }

  void load_scalars(PimKernel& kernel, int chunk) const {
    PimRun run;
    run.op = PimOp::kMvGb;
    run.chunk = static_cast<std::int16_t>(chunk);
    moves(kernel, run, group_.queries);
  }

  void drain_lanes(PimKernel& kernel) const {
    PimRun run;
    run.op = PimOp::kMvSb;
    run.drain = DrainFrom::kLanes;
    moves(kernel, run, group_.queries * map_.parts() * map_.beats() * kBurstsOfLanes);
  }

 private:
  // `bursts` transfers of every bank. Pseudo channels of one domain have a bus each: their
  // transfers alternate, so that both are busy.
  void moves(PimKernel& kernel, PimRun run, int bursts) const {
    const auto& geometry = map_.geometry();
    const int spread = geometry.banks_per_sid();
    run.spread = static_cast<std::uint8_t>(spread);
    run.columns = spread * bursts;
    for (int sid = 0; sid < geometry.stack_ids; ++sid) {
      run.stack_id = static_cast<std::uint8_t>(sid);
      if (map_.channels_per_domain() == 1) {
        kernel.push_back(run);
      } else {
        alternate(kernel, run);
      }
    }
  }

  void alternate(PimKernel& kernel, PimRun run) const {
    const auto& geometry = map_.geometry();
    const int transfers = run.columns;
    const int spread = run.spread;
    const int first_burst = run.first_burst;
    run.columns = 1;
    run.spread = 1;
    for (int i = 0; i < transfers; ++i) {
      run.bank_group = static_cast<std::uint8_t>(i % geometry.bank_groups);
      run.bank = static_cast<std::uint8_t>(i / geometry.bank_groups % geometry.banks);
      run.first_burst = static_cast<std::int16_t>(first_burst + i / spread);
      for (int p = 0; p < map_.channels_per_domain(); ++p) {
        run.pseudo_channel = static_cast<std::uint8_t>(p);
        kernel.push_back(run);
      }
    }
  }

  const KvTensorMap& map_;
  int local_head_;
  QueryGroup group_;
};

}  // namespace

int chunks_of(const Stripes& stripes) {
  return (static_cast<int>(stripes.all().size()) + kMacTokens - 1) / kMacTokens;
}

PassRuns pass_runs(const KvTensorMap& map, int local_head, const QueryGroup& group,
                   const Stripes& keys, const Stripes& values, int first_value_chunk) {
  const PassWriter writer(map, local_head, group);
  PassRuns runs;
  writer.load_queries(runs.scores);
  const auto chunk_end = [](const Stripes& stripes, int chunk) {
    return std::min(stripes.all().size(), static_cast<std::size_t>(chunk + 1) * kMacTokens);
  };
  for (int chunk = 0; chunk < chunks_of(keys); ++chunk) {
    const auto first = static_cast<std::size_t>(chunk) * kMacTokens;
    const auto last = chunk_end(keys, chunk);
    writer.columns(runs.scores, MacWork::kDot, keys.all(), first, last, chunk);
    writer.drain_scores(runs.scores, static_cast<int>(last - first), chunk);
  }
  PimRun softmax;
  softmax.op = PimOp::kSfm;
  softmax.elements = static_cast<std::int32_t>(keys.tokens()) * group.queries;
  runs.scores.push_back(softmax);
  for (int chunk = 0; chunk < chunks_of(values); ++chunk) {
    const auto first = static_cast<std::size_t>(chunk) * kMacTokens;
    writer.load_scalars(runs.context, first_value_chunk + chunk);
    writer.columns(runs.context, MacWork::kAxpy, values.all(), first, chunk_end(values, chunk),
                   first_value_chunk + chunk);
  }
  writer.drain_lanes(runs.context);
  return runs;
}

}  // namespace lockstep
