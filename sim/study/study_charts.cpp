#include <fmt/format.h>

#include "sim/study/index_in.h"
#include "sim/study/study_report.h"
#include "sim/study/svg_chart.h"

namespace lockstep {
namespace {

struct ChartRow {
  std::string_view part;
  std::string_view by;  // in the file's name
  std::string_view x_label;
  ChartKind kind;
};

constexpr ChartRow kCharts[] = {
    {"block-size", "block-size", "block size, tokens", ChartKind::kLines},
    {"workload", "workload", "workload", ChartKind::kBars},
    {"preemption", "headroom", "headroom of the pool, preemption", ChartKind::kLines},
    {"kv-heads", "kv-heads", "KV heads of the model", ChartKind::kBars},
};

// Beyond so many policies, cycles beside the formula would hide both.
constexpr std::size_t kMostPoliciesWithCycles = 4;

class PartChart {
 public:
  PartChart(const Study& study, const ChartRow& row) : study_(study), row_(row) {
    for (const auto& cell : study.cells) {
      if (cell.spec.part->name != row.part) continue;
      index_in(categories_, cell.spec.label);
      index_in(policies_, cell.spec.policy);
    }
  }

  bool empty() const { return categories_.empty(); }

  std::string m1() {
    Chart chart = blank("M1, row hits", "M1, share of commands");
    for (const auto& policy : policies_) {
      chart.series.push_back(series(policy, Metric::kM1, Stroke::kSolid, ""));
    }
    return svg_of(chart);
  }

  std::string bandwidth() {
    Chart chart = blank("Bandwidth", "KV bandwidth, GB/s");
    const bool with_cycles = policies_.size() <= kMostPoliciesWithCycles;
    for (const auto& policy : policies_) {
      chart.series.push_back(series(policy, Metric::kM3, Stroke::kSolid, ", formula"));
      if (!with_cycles) continue;
      chart.series.push_back(series(policy, Metric::kCycleBandwidth, Stroke::kDashed, ", cycles"));
    }
    return svg_of(chart);
  }

 private:
  Chart blank(std::string_view what, std::string_view y_label) const {
    return {fmt::format("{} by {}", what, row_.by),
            std::string(row_.x_label),
            std::string(y_label),
            categories_,
            {},
            row_.kind};
  }

  ChartSeries series(const std::string& policy, Metric metric, Stroke stroke,
                     std::string_view suffix) {
    ChartSeries result{policy + std::string(suffix),
                       std::vector<double>(categories_.size(), kNoValue),
                       static_cast<int>(index_in(policies_, policy)), stroke};
    for (const auto& cell : study_.cells) {
      if (cell.spec.part->name != row_.part || cell.spec.policy != policy) continue;
      result.values[index_in(categories_, cell.spec.label)] = cell.measured[metric];
    }
    return result;
  }

  const Study& study_;
  const ChartRow& row_;
  std::vector<std::string> categories_;
  std::vector<std::string> policies_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> study_charts(const Study& study) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& row : kCharts) {
    PartChart chart(study, row);
    if (chart.empty()) continue;
    files.emplace_back(fmt::format("m1-by-{}.svg", row.by), chart.m1());
    files.emplace_back(fmt::format("bandwidth-by-{}.svg", row.by), chart.bandwidth());
  }
  return files;
}

}  // namespace lockstep
