// The study of sparse attention as files and for people.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/study/dsa_study.h"
#include "sim/study/index_in.h"
#include "sim/study/svg_chart.h"
#include "sim/study/text_table.h"
#include "sim/version.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

std::vector<std::vector<const DsaCellResult*>> by_part(const DsaStudy& study) {
  std::vector<std::vector<const DsaCellResult*>> parts;
  for (const auto& cell : study.cells) {
    if (parts.empty() || parts.back().front()->part != cell.part) parts.emplace_back();
    parts.back().push_back(&cell);
  }
  return parts;
}

bool shown(const std::vector<const DsaCellResult*>& cells, DsaMetric metric) {
  return std::any_of(cells.begin(), cells.end(), [&](const DsaCellResult* cell) {
    return std::any_of(cell->rows.begin(), cell->rows.end(), [&](const DsaRow& row) {
      const bool trivial = (metric == DsaMetric::kRecall && row[metric] == 1.0) ||
                           (metric == DsaMetric::kCopyUs && row[metric] == 0.0);
      return row[metric].has_value() && !trivial;
    });
  });
}

std::vector<TableRow> table_of(const std::vector<const DsaCellResult*>& cells) {
  const bool published = !std::all_of(cells.begin(), cells.end(), [](const auto* cell) {
    return std::none_of(cell->rows.begin(), cell->rows.end(),
                        [](const auto& row) { return row.published_speedup.has_value(); });
  });
  std::vector<TableRow> rows{{"cell", "schedule"}};
  for (const auto& metric : kDsaMetrics) {
    if (shown(cells, metric.metric)) rows.front().emplace_back(metric.label);
  }
  if (published) rows.front().emplace_back("H100");
  for (const auto* cell : cells) {
    for (const auto& row : cell->rows) {
      TableRow entries{cell->label, row.schedule};
      for (const auto& metric : kDsaMetrics) {
        if (!shown(cells, metric.metric)) continue;
        const auto value = row[metric.metric];
        entries.push_back(value ? fmt::format("{:.{}f}", *value, metric.decimals) : "");
      }
      if (published) {
        entries.push_back(row.published_speedup ? fmt::format("{:.2f}", *row.published_speedup)
                                                : "");
      }
      rows.push_back(std::move(entries));
    }
  }
  return rows;
}

constexpr std::string_view kLegend =
    "Microseconds a token, all layers; a path is what selection, top-K, hand-off, attention, "
    "repair "
    "and merge add to it.\nH100: the published speedup over serial, on another platform.";

// The word before the comma, and what follows it.
std::pair<std::string, std::string> split_label(const std::string& label) {
  const auto comma = label.find(", ");
  if (comma == std::string::npos) return {label, ""};
  return {label.substr(0, comma), label.substr(comma + 2)};
}

// The time of the path by cell: a line a schedule, or a line a first word of the labels.
Chart chart_of(const std::vector<const DsaCellResult*>& cells, DsaMetric metric,
               std::string_view y_label) {
  const auto& part = *cells.front()->part;
  Chart chart{fmt::format("{} by {}", y_label, part.name),
              std::string(part.x_label),
              std::string(y_label),
              {},
              {},
              ChartKind::kLines};
  std::vector<std::string> names;
  struct Point {
    std::size_t series;
    std::size_t category;
    double value;
  };
  std::vector<Point> points;
  for (const auto* cell : cells) {
    const auto [first, second] = split_label(cell->label);
    const auto category = index_in(chart.categories, part.by_schedule ? cell->label : second);
    for (const auto& row : cell->rows) {
      const auto value = row[metric];
      if (!value) continue;
      const std::string name = part.by_schedule ? row.schedule : first + " " + row.schedule;
      points.push_back({index_in(names, name), category, *value});
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    chart.series.push_back({names[i], std::vector<double>(chart.categories.size(), kNoValue),
                            static_cast<int>(i), Stroke::kSolid});
  }
  for (const auto& point : points) chart.series[point.series].values[point.category] = point.value;
  return chart;
}

}  // namespace

std::string dsa_csv(const DsaStudy& study) {
  std::string text = "part,cell,schedule,metric,value,published_h100\n";
  for (const auto& cell : study.cells) {
    for (const auto& row : cell.rows) {
      for (const auto& metric : kDsaMetrics) {
        const auto value = row[metric.metric];
        if (!value) continue;
        const bool compares = metric.metric == DsaMetric::kSpeedup && row.published_speedup;
        text += fmt::format("{},\"{}\",{},{},{:.6g},{}\n", cell.part->name, cell.label,
                            row.schedule, metric.key, *value,
                            compares ? fmt::format("{:.2f}", *row.published_speedup) : "");
      }
    }
  }
  return text;
}

std::string dsa_json(const DsaStudy& study) {
  Json json = {{"schema", kSchema},
               {"model_version", kModelVersion},
               {"name", "study-dsa"},
               {"extent", study.extent == Extent::kQuick ? "quick" : "full"},
               {"cells", Json::array()}};
  for (const auto& cell : study.cells) {
    Json entry = {{"part", cell.part->name},
                  {"cell", cell.label},
                  {"overrides", cell.overrides},
                  {"scores", cell.scores},
                  {"schedules", Json::array()}};
    for (const auto& row : cell.rows) {
      Json values = {{"name", row.schedule}};
      for (const auto& metric : kDsaMetrics) {
        if (const auto value = row[metric.metric]) values[std::string(metric.key)] = *value;
      }
      if (row.published_speedup) values["published_speedup_h100_ratio"] = *row.published_speedup;
      entry["schedules"].push_back(std::move(values));
    }
    json["cells"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

std::string dsa_text(const DsaStudy& study) {
  std::string text = std::string(kLegend) + "\n";
  for (const auto& cells : by_part(study)) {
    const auto& part = *cells.front()->part;
    text += fmt::format("\n{}: {}\n{}", part.name, part.what, aligned_table(table_of(cells)));
  }
  return text + fmt::format("\n{} cells\n", study.cells.size());
}

std::string dsa_markdown(const DsaStudy& study) {
  std::string text = "# Study of sparse attention\n\n" + std::string(kLegend) + "\n\n";
  for (const auto& metric : kDsaMetrics)
    text += fmt::format("- {}: {}\n", metric.label, metric.meaning);
  for (const auto& cells : by_part(study)) {
    const auto& part = *cells.front()->part;
    text += fmt::format("\n## {}\n{}.\n\n{}", part.name, part.what, piped_table(table_of(cells)));
  }
  text += "\n## Charts\n";
  for (const auto& [name, svg] : dsa_charts(study)) text += fmt::format("![{}]({})\n", name, name);
  return text;
}

std::vector<std::pair<std::string, std::string>> dsa_charts(const DsaStudy& study) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& cells : by_part(study)) {
    const auto& part = *cells.front()->part;
    if (part.x_label.empty()) continue;
    files.emplace_back(fmt::format("path-by-{}.svg", part.name),
                       svg_of(chart_of(cells, DsaMetric::kPathUs, "path, us a token")));
    files.emplace_back(fmt::format("row-hits-by-{}.svg", part.name),
                       svg_of(chart_of(cells, DsaMetric::kColumnRowHits, "row hits of columns")));
  }
  return files;
}

}  // namespace lockstep
