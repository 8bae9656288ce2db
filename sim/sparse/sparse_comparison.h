// Runs the schedules of a configuration over the same lists, each on a stack of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware/sparse/sparse_result.h"
#include "hw/channel/stats.h"
#include "hw/energy/energy.h"
#include "sim/run/comparison.h"
#include "sim/run/run_config.h"

namespace lockstep {

struct ScheduleResult {
  std::string name;
  double delta = 1;  // of the prediction
  SparseResult result;
  std::array<ChannelStats, kSparseStreams.size()> streams{};  // of simulated layers
  double wall_seconds = 0;

  const ChannelStats& stats(SparseStream stream) const {
    return streams[static_cast<std::size_t>(stream)];
  }
  // Of |A| blocks, those that the guess held; nullopt where nothing was guessed.
  std::optional<double> overlap() const;
  // MAC commands that found their row open.
  std::optional<double> row_hits(SparseStream stream) const {
    return stats(stream).pim_hit_ratio();
  }
  // The same of columns, each counted once however many queries read it.
  std::optional<double> column_row_hits(const RunConfig& config, SparseStream stream) const;
  // Banks that held an attended token, of those that took part in MAC commands.
  std::optional<double> participation(const RunConfig& config, SparseStream stream) const;
  // Bytes of K and V (of summaries) over the time that the stream kept the stack busy.
  std::optional<double> bandwidth_gbps(Hertz clock, SparseStream stream) const;
  double energy_pj(const RunConfig& config, SparseStream stream) const;
  double tokens_per_second(const RunConfig& config) const;
};

struct SparseComparison {
  std::string scores;  // what they are, for people
  double mean_recall = 1;
  double list_seconds = 0;  // wall clock: scores, prediction and lists
  std::vector<ScheduleResult> schedules;

  bool has_commands(SparseStream stream) const;  // in any schedule
  const ScheduleResult* find(std::string_view name) const;
  // Token time of `of` over that of `name`; nullopt unless both ran.
  std::optional<double> speedup(std::string_view of, std::string_view name) const;
};

// Throws InputError for what the user can mend, Interrupted after Ctrl-C. At stream level no
// SystemC kernel takes part.
SparseComparison compare_sparse(const RunConfig& config, const RunOptions& options);

}  // namespace lockstep
