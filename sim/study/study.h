// The KV placement study: expands the tables into cells, runs each distinct run once, on as many
// threads as wanted, and compares what it measured with what was published.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/study/study_table.h"

namespace lockstep {

enum class Extent : std::uint8_t { kFull, kQuick };

struct StudyOptions {
  std::string config_file;
  std::string requests_folder;
  std::optional<std::string> traces_folder;
  std::vector<std::string> parts;  // empty: all
  Extent extent = Extent::kFull;
  int jobs = 1;
};

// A cell as it is run.
struct CellSpec {
  const StudyPart* part = nullptr;
  std::string label;
  std::string policy;
  Stream stream = Stream::kSteady;
  std::vector<std::string> overrides;
  MetricValues published;
};

// What a published value was met with.
struct Verdict {
  Metric metric = Metric::kM1;
  double measured = 0;
  double published = 0;
  double allowed = 0;  // largest difference
  bool met = false;

  double difference() const { return measured - published; }
};

struct CellResult {
  CellSpec spec;
  MetricValues measured;
  std::int64_t requests = 0;
  std::int64_t scored_pairs = 0;
  std::int64_t copied_bytes = 0;
  double copy_time_ns = 0;
  double cycle_to_formula = kNoValue;
  std::vector<Verdict> verdicts;

  bool met() const;
};

struct Study {
  Extent extent = Extent::kFull;
  std::vector<CellResult> cells;            // in the order of the tables
  std::vector<std::string> skipped;         // a sentence for each part or cell left out
  std::size_t runs = 0;                     // distinct ones
  std::vector<std::string> missed() const;  // "part, cell, policy: metric measured, published, …"
};

// The cells of the named parts, all for an empty list. Throws InputError for an unknown part.
std::vector<CellSpec> expand(const std::vector<std::string>& parts, Extent extent);

// The result does not depend on `jobs`. Throws what the first run that failed threw.
Study run_study(const StudyOptions& options);

// How near `published` has to be met for requests of that origin.
double allowed_difference(Metric metric, StreamOrigin origin, double published);

}  // namespace lockstep
