// The study for people: a table per part, as text and as Markdown.
#include <algorithm>

#include <fmt/format.h>

#include "sim/study/study_report.h"
#include "sim/study/text_table.h"

namespace lockstep {
namespace {

// Shown of every part, whether or not something was published of it.
constexpr Metric kAlways[] = {Metric::kM1, Metric::kM3, Metric::kCycleBandwidth};

bool shown(const std::vector<const CellResult*>& cells, Metric metric) {
  const bool always = std::count(std::begin(kAlways), std::end(kAlways), metric) > 0;
  return std::any_of(cells.begin(), cells.end(), [&](const CellResult* cell) {
    const bool of_interest = always || cell->spec.published.has(metric) ||
                             metric == Metric::kGain || metric == Metric::kCycleGain ||
                             metric == Metric::kPreemptions || metric == Metric::kEmptyShare ||
                             metric == Metric::kDropped;
    return of_interest && cell->measured.has(metric);
  });
}

std::string entry(const CellResult& cell, const MetricTraits& row) {
  if (!cell.measured.has(row.metric)) return "";
  std::string text = fmt::format("{:.{}f}", cell.measured[row.metric], row.decimals);
  for (const auto& verdict : cell.verdicts) {
    if (verdict.metric != row.metric) continue;
    const std::string difference =
        row.within == Within::kRelative && verdict.published > 0
            ? fmt::format("{:+.1f} %", 100 * verdict.difference() / verdict.published)
            : fmt::format("{:+.{}f}", verdict.difference(), row.decimals);
    text += fmt::format(" ({:.{}f}, {}{})", verdict.published, row.decimals, difference,
                        verdict.met ? "" : " MISS");
  }
  return text;
}

std::vector<TableRow> table_of(const std::vector<const CellResult*>& cells) {
  std::vector<TableRow> rows{{"cell", "policy"}};
  for (const auto& row : kMetrics) {
    if (shown(cells, row.metric)) rows.front().emplace_back(row.label);
  }
  rows.front().emplace_back("copied MB");
  for (const auto* cell : cells) {
    TableRow entries{cell->spec.label, cell->spec.policy};
    for (const auto& row : kMetrics) {
      if (shown(cells, row.metric)) entries.push_back(entry(*cell, row));
    }
    entries.push_back(fmt::format("{:.1f}", static_cast<double>(cell->copied_bytes) / 1e6));
    rows.push_back(std::move(entries));
  }
  return rows;
}

std::vector<std::vector<const CellResult*>> by_part(const Study& study) {
  std::vector<std::vector<const CellResult*>> parts;
  for (const auto& cell : study.cells) {
    if (parts.empty() || parts.back().front()->spec.part != cell.spec.part) parts.emplace_back();
    parts.back().push_back(&cell);
  }
  return parts;
}

std::string ending(const Study& study, std::string_view bullet) {
  const auto missed = study.missed();
  std::size_t values = 0;
  for (const auto& cell : study.cells) values += cell.verdicts.size();
  std::string text;
  for (const auto& sentence : study.skipped) text += fmt::format("{}{}\n", bullet, sentence);
  for (const auto& line : missed) text += fmt::format("{}missed: {}\n", bullet, line);
  return text + fmt::format("{}{} cells, {} distinct runs; {} of {} published values met\n", bullet,
                            study.cells.size(), study.runs, values - missed.size(), values);
}

constexpr std::string_view kLegend =
    "In brackets: the published value, and how far the measured one is from it. Cycles include "
    "copies\ninside the pool; they are of sampled steps, but for the headline.";

}  // namespace

std::string study_text(const Study& study) {
  std::string text = std::string(kLegend) + "\n";
  for (const auto& cells : by_part(study)) {
    const auto& part = *cells.front()->spec.part;
    text += fmt::format("\n{}: {}\n{}", part.name, part.what, aligned_table(table_of(cells)));
  }
  return text + "\n" + ending(study, "");
}

std::string study_markdown(const Study& study) {
  std::string text =
      "# KV placement study\n\n" + std::string(kLegend) + "\n\n" + ending(study, "- ");
  for (const auto& cells : by_part(study)) {
    const auto& part = *cells.front()->spec.part;
    text += fmt::format("\n## {}\n{}.\n\n{}", part.name, part.what, piped_table(table_of(cells)));
  }
  const auto charts = study_charts(study);
  if (!charts.empty()) text += "\n## Charts\n";
  for (const auto& [name, svg] : charts) text += fmt::format("![{}]({})\n", name, name);
  return text;
}

}  // namespace lockstep
