#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/study/study_report.h"
#include "sim/version.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

std::string in_quotes(std::string_view text) {
  return fmt::format("\"{}\"", text);  // no label has a quotation mark
}

const Verdict* verdict_of(const CellResult& cell, Metric metric) {
  const auto found = std::find_if(cell.verdicts.begin(), cell.verdicts.end(),
                                  [&](const Verdict& v) { return v.metric == metric; });
  return found == cell.verdicts.end() ? nullptr : &*found;
}

Json json_of(const CellResult& cell) {
  Json json = {
      {"part", cell.spec.part->name},      {"cell", cell.spec.label},
      {"policy", cell.spec.policy},        {"requests_file", traits(cell.spec.stream).file},
      {"overrides", cell.spec.overrides},  {"requests", cell.requests},
      {"scored_pairs", cell.scored_pairs}, {"copied_bytes", cell.copied_bytes},
      {"copy_time_ns", cell.copy_time_ns}};
  json["cycle_to_formula_ratio"] =
      cell.cycle_to_formula == kNoValue ? Json(nullptr) : Json(cell.cycle_to_formula);
  for (const auto& row : kMetrics) {
    if (cell.measured.has(row.metric)) json[std::string(row.key)] = cell.measured[row.metric];
  }
  json["published"] = Json::object();
  for (const auto& verdict : cell.verdicts) {
    json["published"][std::string(traits(verdict.metric).key)] = {
        {"value", verdict.published},
        {"difference", verdict.difference()},
        {"allowed_difference", verdict.allowed},
        {"met", verdict.met}};
  }
  json["met"] = cell.met();
  return json;
}

}  // namespace

std::string study_csv(const Study& study) {
  std::string text =
      "part,cell,policy,requests_file,metric,measured,published,difference,allowed_difference,"
      "met\n";
  for (const auto& cell : study.cells) {
    for (const auto& row : kMetrics) {
      if (!cell.measured.has(row.metric)) continue;
      text += fmt::format("{},{},{},{},{},{:.6g}", cell.spec.part->name, in_quotes(cell.spec.label),
                          cell.spec.policy, traits(cell.spec.stream).file, row.key,
                          cell.measured[row.metric]);
      const auto* verdict = verdict_of(cell, row.metric);
      text += verdict == nullptr
                  ? ",,,,\n"
                  : fmt::format(",{:.6g},{:.6g},{:.6g},{}\n", verdict->published,
                                verdict->difference(), verdict->allowed, verdict->met ? 1 : 0);
    }
  }
  return text;
}

std::string study_json(const Study& study) {
  Json json = {{"schema", kSchema},
               {"model_version", kModelVersion},
               {"name", "study-kv"},
               {"extent", study.extent == Extent::kQuick ? "quick" : "full"},
               {"cells_run", study.cells.size()},
               {"distinct_runs", study.runs},
               {"skipped", study.skipped},
               {"missed", study.missed()}};
  json["cells"] = Json::array();
  for (const auto& cell : study.cells) json["cells"].push_back(json_of(cell));
  return json.dump(2) + "\n";
}

}  // namespace lockstep
