#include "sim/study/study.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/study/cell_run.h"
#include "sim/study/run_jobs.h"

namespace lockstep {
namespace {

// Cells whose requests are not here are left out; each reason is told once.
std::vector<CellSpec> available(const StudyOptions& options, std::vector<CellSpec> specs,
                                std::vector<std::string>& skipped) {
  std::set<std::string> told;
  std::vector<CellSpec> kept;
  for (auto& spec : specs) {
    const auto& stream = traits(spec.stream);
    std::string reason;
    if (stream.origin == StreamOrigin::kPublicTrace) {
      if (!options.traces_folder) {
        reason = fmt::format("{}: skipped, for want of --traces FOLDER", spec.part->name);
      } else if (const auto file = requests_file(options, spec); !std::filesystem::exists(*file)) {
        reason = fmt::format("{}, {}: skipped, there is no {}", spec.part->name, spec.label, *file);
      }
    }
    if (reason.empty()) {
      kept.push_back(std::move(spec));
    } else if (told.insert(reason).second) {
      skipped.push_back(reason);
    }
  }
  return kept;
}

std::string run_key(const CellSpec& spec) {
  return fmt::format("{}|{}|{}", spec.policy, static_cast<int>(spec.stream),
                     fmt::join(spec.overrides, ";"));
}

// Runs specs[i] for each i of `runs`; results in that order, whoever computed them.
std::vector<CellResult> run_all(const StudyOptions& options, const std::vector<CellSpec>& specs,
                                const std::vector<std::size_t>& runs) {
  std::vector<CellResult> results(runs.size());
  run_jobs(
      runs.size(), options.jobs,
      [&](std::size_t i) { results[i] = run_cell(options, specs[runs[i]]); },
      [&](std::size_t i) {
        const auto& spec = specs[runs[i]];
        return fmt::format("{}, {}, {}", spec.part->name, spec.label, spec.policy);
      });
  return results;
}

bool same_requests(const CellResult& a, const CellResult& b) {
  return a.spec.part == b.spec.part && a.spec.label == b.spec.label &&
         a.spec.stream == b.spec.stream;
}

// Gains over the paged cell of the same label, and the range of M1 over the streams of a label.
void derive(std::vector<CellResult>& cells) {
  for (auto& cell : cells) {
    double low = cell.measured[Metric::kM1];
    double high = low;
    bool several = false;
    for (const auto& other : cells) {
      if (other.spec.policy == kPaged && cell.spec.policy != kPaged && same_requests(cell, other)) {
        const auto ratio = [&](Metric m) { return cell.measured[m] / other.measured[m]; };
        cell.measured = cell.measured.gain(ratio(Metric::kM3))
                            .with(Metric::kCycleGain, ratio(Metric::kCycleBandwidth));
      }
      if (other.spec.part != cell.spec.part || other.spec.label != cell.spec.label ||
          other.spec.policy != cell.spec.policy) {
        continue;
      }
      several |= other.spec.stream != cell.spec.stream;
      low = std::min(low, other.measured[Metric::kM1]);
      high = std::max(high, other.measured[Metric::kM1]);
    }
    if (several) cell.measured = cell.measured.with(Metric::kM1SeedSpread, high - low);
  }
}

void judge(CellResult& cell) {
  constexpr double kRounding = 1e-9;
  for (const auto& [metric, key, label, decimals, within, study, own] : kMetrics) {
    if (!cell.spec.published.has(metric)) continue;
    Verdict verdict{metric, cell.measured[metric], cell.spec.published[metric], 0, false};
    verdict.allowed =
        allowed_difference(metric, traits(cell.spec.stream).origin, verdict.published);
    const double miss =
        within == Within::kAtMost ? verdict.difference() : std::abs(verdict.difference());
    verdict.met = cell.measured.has(metric) && miss <= verdict.allowed + kRounding;
    cell.verdicts.push_back(verdict);
  }
}

}  // namespace

double allowed_difference(Metric metric, StreamOrigin origin, double published) {
  const auto& row = traits(metric);
  const double tolerance =
      origin == StreamOrigin::kOwnGenerator ? row.own_tolerance : row.study_tolerance;
  return row.within == Within::kRelative ? tolerance * published : tolerance;
}

bool CellResult::met() const {
  return std::all_of(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return v.met; });
}

std::vector<std::string> Study::missed() const {
  std::vector<std::string> lines;
  for (const auto& cell : cells) {
    for (const auto& verdict : cell.verdicts) {
      if (verdict.met) continue;
      const auto& row = traits(verdict.metric);
      lines.push_back(fmt::format("{}, {}, {}: {} {:.{}f}, published {:.{}f}, allowed {:.{}f}",
                                  cell.spec.part->name, cell.spec.label, cell.spec.policy,
                                  row.label, verdict.measured, row.decimals, verdict.published,
                                  row.decimals, verdict.allowed, row.decimals + 1));
    }
  }
  return lines;
}

Study run_study(const StudyOptions& options) {
  Study study;
  study.extent = options.extent;
  const auto specs = available(options, expand(options.parts, options.extent), study.skipped);
  std::map<std::string, std::size_t> run_of;
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (run_of.emplace(run_key(specs[i]), runs.size()).second) runs.push_back(i);
  }
  const auto results = run_all(options, specs, runs);
  for (const auto& spec : specs) {
    study.cells.push_back(results[run_of.at(run_key(spec))]);
    study.cells.back().spec = spec;
  }
  study.runs = runs.size();
  derive(study.cells);
  for (auto& cell : study.cells) judge(cell);
  return study;
}

}  // namespace lockstep
