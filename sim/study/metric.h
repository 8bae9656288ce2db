// What the study measures of a cell, and how near a published value has to be met.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lockstep {

enum class Metric : std::uint8_t {
  kM1,
  kM2,
  kM3,
  kGain,
  kCycleBandwidth,
  kCycleGain,
  kRegionSpread,
  kAdjacency,
  kSteps,
  kPreemptions,
  kAdmissionFailures,
  kEmptyShare,
  kCopyBackShare,
  kM1SeedSpread,
  kDropped,
  kLost,
};
constexpr std::size_t kMetricCount = 16;

enum class Within : std::uint8_t { kAbsolute, kRelative, kAtMost };

struct MetricTraits {
  Metric metric;
  std::string_view key;    // in files, with the unit
  std::string_view label;  // for people
  int decimals;
  Within within;
  double study_tolerance;  // for the study's own requests
  double own_tolerance;    // for requests of our generator
};

constexpr std::array<MetricTraits, kMetricCount> kMetrics = {{
    // clang-format off
    {Metric::kM1,                "m1_row_hit_ratio",              "M1",            4, Within::kAbsolute, 0.01, 0.02},
    {Metric::kM2,                "m2_bank_participation_ratio",   "M2",            4, Within::kAbsolute, 0.01, 0.02},
    {Metric::kM3,                "m3_formula_bandwidth_gbps",     "M3 GB/s",       1, Within::kRelative, 0.03, 0.06},
    {Metric::kGain,              "gain_formula_ratio",            "gain",          2, Within::kRelative, 0.06, 0.12},
    {Metric::kCycleBandwidth,    "cycle_bandwidth_gbps",          "cycles GB/s",   1, Within::kRelative, 0.03, 0.06},
    {Metric::kCycleGain,         "gain_cycles_ratio",             "gain, cycles",  2, Within::kRelative, 0.06, 0.12},
    {Metric::kRegionSpread,      "region_spread_ratio",           "spread",        2, Within::kRelative, 0.05, 0.10},
    {Metric::kAdjacency,         "adjacency_ratio",               "adjacency",     3, Within::kAbsolute, 0.02, 0.04},
    {Metric::kSteps,             "steps",                         "steps",         0, Within::kAbsolute, 0,    0},
    {Metric::kPreemptions,       "preemptions",                   "preemptions",   0, Within::kRelative, 0.10, 0.20},
    {Metric::kAdmissionFailures, "admission_failures",            "refusals",      0, Within::kAbsolute, 0,    0},
    {Metric::kEmptyShare,        "reserved_but_empty_ratio",      "empty",         4, Within::kAbsolute, 0.01, 0.02},
    {Metric::kCopyBackShare,     "copied_back_to_written_ratio",  "copied back",   4, Within::kAbsolute, 0.01, 0.02},
    {Metric::kM1SeedSpread,      "m1_over_seeds_ratio",           "M1 over seeds", 4, Within::kAtMost,   0,    0},
    {Metric::kDropped,           "requests_dropped",              "dropped",       0, Within::kAbsolute, 0,    0},
    {Metric::kLost,              "requests_lost",                 "lost",          0, Within::kAbsolute, 0,    0},
    // clang-format on
}};

constexpr const MetricTraits& traits(Metric metric) {
  return kMetrics[static_cast<std::size_t>(metric)];
}

constexpr bool metric_rows_match_enumerators() {
  for (std::size_t i = 0; i < kMetricCount; ++i) {
    if (kMetrics[i].metric != static_cast<Metric>(i)) return false;
  }
  return true;
}
static_assert(metric_rows_match_enumerators(), "kMetrics lists every Metric, in enumerator order");

constexpr double kNoValue = -1;  // no metric is negative

// A value per metric, kNoValue where there is none.
class MetricValues {
 public:
  constexpr double operator[](Metric metric) const {
    return values_[static_cast<std::size_t>(metric)];
  }
  constexpr bool has(Metric metric) const { return (*this)[metric] != kNoValue; }
  constexpr MetricValues with(Metric metric, double value) const {
    MetricValues changed = *this;
    changed.values_[static_cast<std::size_t>(metric)] = value;
    return changed;
  }
  // So that a row of a table reads as it is published.
  constexpr MetricValues m1(double value) const { return with(Metric::kM1, value); }
  constexpr MetricValues m2(double value) const { return with(Metric::kM2, value); }
  constexpr MetricValues m3(double gbps) const { return with(Metric::kM3, gbps); }
  constexpr MetricValues gain(double value) const { return with(Metric::kGain, value); }
  constexpr MetricValues spread(double value) const { return with(Metric::kRegionSpread, value); }
  constexpr MetricValues steps(double value) const { return with(Metric::kSteps, value); }

 private:
  std::array<double, kMetricCount> values_ = {
      kNoValue, kNoValue, kNoValue, kNoValue, kNoValue, kNoValue, kNoValue, kNoValue,
      kNoValue, kNoValue, kNoValue, kNoValue, kNoValue, kNoValue, kNoValue, kNoValue};
};

}  // namespace lockstep
