// The study of sparse attention: tables of configurations, each run with several schedules over the
// same lists, beside what was published of them on another platform.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sparse/sparse_comparison.h"
#include "sim/study/study.h"

namespace lockstep {

struct DsaCell {
  std::string_view label;
  std::string_view overrides;  // path=value, separated by ` ; `
};

// Speedup over the serial schedule as published: an H100, not this stack. Never a bar to meet.
struct PublishedSpeedup {
  std::string_view cell;
  std::string_view schedule;
  double speedup;
};

struct DsaPart {
  std::string_view name;
  std::string_view what;
  std::string_view overrides;  // of every cell, before its own
  Span<DsaCell> cells;
  Span<PublishedSpeedup> published;
  std::string_view x_label;  // of its chart; empty: none
  bool by_schedule;          // the chart has a line a schedule; else a line a word before the comma
};

Span<DsaPart> dsa_parts();

enum class DsaMetric : std::uint8_t {
  kTokenUs,
  kPathUs,
  kSpeedup,
  kPathSpeedup,
  kTokensPerSecond,
  kOverlap,
  kDelta,
  kMissed,
  kWasted,
  kRecall,
  kSelectionUs,
  kWindowUs,
  kListAttentionUs,
  kRepairUs,
  kHiddenUs,
  kRowHits,
  kColumnRowHits,
  kBandwidth,
  kEnergyUj,
  kCopyUs,
};
constexpr std::size_t kDsaMetricCount = 20;

struct DsaMetricTraits {
  DsaMetric metric;
  std::string_view key;    // in files, with the unit
  std::string_view label;  // for people
  int decimals;
  std::string_view meaning;
};

constexpr std::array<DsaMetricTraits, kDsaMetricCount> kDsaMetrics = {{
    // clang-format off
    {DsaMetric::kTokenUs,         "token_us",            "token us",     1, "all layers, processor included"},
    {DsaMetric::kPathUs,          "path_us",             "path us",      1, "of it, what is exposed from selection to merge"},
    {DsaMetric::kSpeedup,         "speedup_ratio",       "speedup",      3, "of the token over serial"},
    {DsaMetric::kPathSpeedup,     "path_speedup_ratio",  "path speedup", 3, "of the path over serial"},
    {DsaMetric::kTokensPerSecond, "tokens_per_s",        "tokens/s",     1, "of all requests"},
    {DsaMetric::kOverlap,         "overlap_ratio",       "overlap",      3, "selected blocks that the guess held"},
    {DsaMetric::kDelta,           "delta",               "delta",        2, "of the prediction"},
    {DsaMetric::kMissed,          "missed_blocks",       "missed",       1, "a list"},
    {DsaMetric::kWasted,          "wasted_blocks",       "wasted",       1, "a list"},
    {DsaMetric::kRecall,          "recall_ratio",        "recall",       3, "of the best K in the selection"},
    {DsaMetric::kSelectionUs,     "selection_us",        "select",       1, "exposed"},
    {DsaMetric::kWindowUs,        "top_k_hand_off_us",   "top-K+h.off",  1, "exposed"},
    {DsaMetric::kListAttentionUs, "list_attention_us",   "attend",       1, "exposed: speculation or attention"},
    {DsaMetric::kRepairUs,        "repair_merge_us",     "repair",       1, "exposed"},
    {DsaMetric::kHiddenUs,        "hidden_us",           "hidden",       1, "work of the stack behind other stages"},
    {DsaMetric::kRowHits,         "row_hit_ratio",       "row hits",     4, "of MAC commands of the lists"},
    {DsaMetric::kColumnRowHits,   "column_row_hit_ratio", "col hits",    4, "of their columns"},
    {DsaMetric::kBandwidth,       "kv_bandwidth_gbps",   "GB/s",         1, "K and V of the lists over their time"},
    {DsaMetric::kEnergyUj,        "energy_uj",           "uJ/token",     1, "of the stack, simulated layers; without background and first copies"},
    {DsaMetric::kCopyUs,          "copies_us",           "copies us",    2, "busy; beside the processor"},
    // clang-format on
}};

using DsaValues = std::array<std::optional<double>, kDsaMetricCount>;

struct DsaRow {
  std::string schedule;
  DsaValues values;
  std::optional<double> published_speedup;

  std::optional<double> operator[](DsaMetric metric) const {
    return values[static_cast<std::size_t>(metric)];
  }
};

struct DsaCellResult {
  const DsaPart* part = nullptr;
  std::string label;
  std::vector<std::string> overrides;
  std::string scores;
  std::vector<DsaRow> rows;  // by schedule
};

struct DsaStudy {
  Extent extent = Extent::kFull;
  std::vector<DsaCellResult> cells;  // in the order of the tables
};

// Uses config_file, parts, extent and jobs of the options. The result does not depend on `jobs`.
// Throws InputError for an unknown part, and what the first cell that failed threw.
DsaStudy run_dsa_study(const StudyOptions& options);

// Results as files and for people.
std::string dsa_csv(const DsaStudy& study);
std::string dsa_json(const DsaStudy& study);
std::string dsa_markdown(const DsaStudy& study);
std::string dsa_text(const DsaStudy& study);
std::vector<std::pair<std::string, std::string>> dsa_charts(const DsaStudy& study);

}  // namespace lockstep
