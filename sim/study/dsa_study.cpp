#include "sim/study/dsa_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "configs/setting_place.h"
#include "sim/study/run_jobs.h"
#include "sim/study/text_table.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Of --quick, after all others.
constexpr std::string_view kQuick =
    "dsa.decode=3 ; dsa.simulated_layers=1 ; dsa.scores.calibration_rows=24";

std::vector<DsaCellResult> expand_dsa(const StudyOptions& options) {
  std::vector<DsaCellResult> cells;
  for (const auto& part : dsa_parts()) {
    const bool wanted = options.parts.empty() ||
                        std::count(options.parts.begin(), options.parts.end(), part.name) > 0;
    if (!wanted) continue;
    for (const auto& row : part.cells) {
      DsaCellResult cell{&part, std::string(row.label), {}, {}, {}};
      append_overrides(part.overrides, cell.overrides);
      append_overrides(row.overrides, cell.overrides);
      if (options.extent == Extent::kQuick) append_overrides(kQuick, cell.overrides);
      cells.push_back(std::move(cell));
    }
  }
  for (const auto& name : options.parts) {
    const bool known = std::any_of(dsa_parts().begin(), dsa_parts().end(),
                                   [&](const DsaPart& part) { return part.name == name; });
    if (known) continue;
    std::string list;
    for (const auto& part : dsa_parts())
      list += (list.empty() ? "" : ", ") + std::string(part.name);
    throw InputError(fmt::format("--part: there is no part `{}`; there are {}", name, list));
  }
  return cells;
}

// What a schedule of a cell gives, in microseconds a token where it is a time.
class RowMaker {
 public:
  RowMaker(const RunConfig& config, const SparseComparison& comparison,
           const ScheduleResult& schedule)
      : config_(config), comparison_(comparison), schedule_(schedule) {}

  DsaRow make() {
    const bool dense = schedule_.name == "dense";
    row_.schedule = schedule_.name;
    set(DsaMetric::kTokenUs, total_us(schedule_));
    set(DsaMetric::kPathUs, path_us(schedule_));
    set(DsaMetric::kSpeedup, comparison_.speedup("serial", schedule_.name));
    if (const auto* serial = comparison_.find("serial"))
      set(DsaMetric::kPathSpeedup, path_us(*serial) / path_us(schedule_));
    set(DsaMetric::kTokensPerSecond, schedule_.tokens_per_second(config_));
    if (!dense) set_lists();
    set_stages();
    set_stream(dense                                ? SparseStream::kDense
               : worked(SparseStream::kSpeculation) ? SparseStream::kSpeculation
                                                    : SparseStream::kAttention);
    double energy = 0;
    for (std::size_t i = 0; i < kSparseStreams.size(); ++i) {
      const auto stream = static_cast<SparseStream>(i);
      if (stream != SparseStream::kPreparation) energy += schedule_.energy_pj(config_, stream);
    }
    set(DsaMetric::kEnergyUj, energy / 1e6 / tokens(schedule_));
    return std::move(row_);
  }

 private:
  bool worked(SparseStream stream) const { return schedule_.stats(stream).total_commands() > 0; }
  void set(DsaMetric metric, std::optional<double> value) {
    row_.values[static_cast<std::size_t>(metric)] = value;
  }

  static double tokens(const ScheduleResult& schedule) {
    return static_cast<double>(schedule.result.steps.size());
  }
  static double total_us(const ScheduleResult& schedule) {
    return schedule.result.total_ns / 1e3 / tokens(schedule);
  }
  static double exposed_us(const ScheduleResult& schedule, SparseStage stage) {
    return schedule.result.exposed_ns[static_cast<std::size_t>(stage)] / 1e3 / tokens(schedule);
  }
  static double busy_us(const ScheduleResult& schedule, SparseStage stage) {
    return schedule.result.busy_ns[static_cast<std::size_t>(stage)] / 1e3 / tokens(schedule);
  }
  static double path_us(const ScheduleResult& schedule) {
    double sum = 0;
    for (const auto stage : {SparseStage::kSelection, SparseStage::kTopK, SparseStage::kHandOff,
                             SparseStage::kAttention, SparseStage::kSpeculation,
                             SparseStage::kRepair, SparseStage::kMerge}) {
      sum += exposed_us(schedule, stage);
    }
    return sum;
  }

  void set_lists() {
    const auto& lists = schedule_.result.lists;
    const auto mean = [&](std::int64_t sum) {
      return static_cast<double>(sum) / static_cast<double>(lists.lists);
    };
    set(DsaMetric::kRecall, comparison_.mean_recall);
    set(DsaMetric::kOverlap, schedule_.overlap());
    if (lists.guessed == 0) return;
    set(DsaMetric::kMissed, mean(lists.missed));
    set(DsaMetric::kWasted, mean(lists.wasted));
    set(DsaMetric::kDelta,
        static_cast<double>(lists.guessed) / static_cast<double>(lists.selected));
  }

  void set_stages() {
    const auto exposed = [&](SparseStage stage) { return exposed_us(schedule_, stage); };
    set(DsaMetric::kSelectionUs, exposed(SparseStage::kSelection));
    set(DsaMetric::kWindowUs, exposed(SparseStage::kTopK) + exposed(SparseStage::kHandOff));
    set(DsaMetric::kListAttentionUs,
        exposed(SparseStage::kAttention) + exposed(SparseStage::kSpeculation));
    set(DsaMetric::kRepairUs, exposed(SparseStage::kRepair) + exposed(SparseStage::kMerge));
    double hidden = 0;
    for (const auto stage : {SparseStage::kSelection, SparseStage::kAttention,
                             SparseStage::kSpeculation, SparseStage::kRepair}) {
      hidden += busy_us(schedule_, stage) - exposed(stage);
    }
    set(DsaMetric::kHiddenUs, hidden);
    set(DsaMetric::kCopyUs, busy_us(schedule_, SparseStage::kCopies));
  }

  void set_stream(SparseStream stream) {
    set(DsaMetric::kRowHits, schedule_.row_hits(stream));
    set(DsaMetric::kColumnRowHits, schedule_.column_row_hits(config_, stream));
    set(DsaMetric::kBandwidth, schedule_.bandwidth_gbps(config_.stack.clock, stream));
  }

  const RunConfig& config_;
  const SparseComparison& comparison_;
  const ScheduleResult& schedule_;
  DsaRow row_;
};

void run_dsa_cell(const StudyOptions& options, DsaCellResult& cell) {
  const RunConfig config = load_run_config({options.config_file, cell.overrides, std::nullopt});
  SparseComparison comparison;
  at_places_of(config.tree, [&] {
    comparison = compare_sparse(config, {std::nullopt, std::nullopt, false});
  });
  cell.scores = comparison.scores;
  for (const auto& schedule : comparison.schedules) {
    cell.rows.push_back(RowMaker(config, comparison, schedule).make());
    for (const auto& published : cell.part->published) {
      if (published.cell == cell.label && published.schedule == schedule.name)
        cell.rows.back().published_speedup = published.speedup;
    }
  }
}

}  // namespace

DsaStudy run_dsa_study(const StudyOptions& options) {
  DsaStudy study{options.extent, expand_dsa(options)};
  run_jobs(
      study.cells.size(), options.jobs,
      [&](std::size_t i) { run_dsa_cell(options, study.cells[i]); },
      [&](std::size_t i) {
        return fmt::format("{}, {}", study.cells[i].part->name, study.cells[i].label);
      });
  return study;
}

}  // namespace lockstep
