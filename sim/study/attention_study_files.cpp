#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/study/attention_study.h"
#include "sim/version.h"

namespace lockstep {
namespace {

// A column of every file: to add one, add its row.
struct Field {
  const char* key;    // with the unit
  const char* label;  // of the Markdown table
  int decimals;
  double (*value)(const AttentionCell&);
};

constexpr Field kFields[] = {
    // clang-format off
    {"gain_formula_ratio",            "gain, formula",       2, [](const AttentionCell& c) { return c.gain_formula; }},
    {"gain_cycles_ratio",             "gain, cycles",        2, [](const AttentionCell& c) { return c.gain_cycles; }},
    {"paged_commands_per_row",        "MACab a row, paged",  1, [](const AttentionCell& c) { return c.paged.commands_per_row; }},
    {"region_commands_per_row",       "region",              1, [](const AttentionCell& c) { return c.region.commands_per_row; }},
    {"paged_row_change_share",        "row changes, paged",  3, [](const AttentionCell& c) { return c.row_change_share; }},
    {"paged_kv_bandwidth_gbps",       "KV GB/s, paged",      0, [](const AttentionCell& c) { return c.paged.kv_bandwidth_gbps; }},
    {"region_kv_bandwidth_gbps",      "region",              0, [](const AttentionCell& c) { return c.region.kv_bandwidth_gbps; }},
    {"paged_mac_utilisation_ratio",   "MAC use, paged",      3, [](const AttentionCell& c) { return c.paged.mac_utilisation; }},
    {"region_mac_utilisation_ratio",  "region",              3, [](const AttentionCell& c) { return c.region.mac_utilisation; }},
    // clang-format on
};

}  // namespace

std::string attention_study_csv(const AttentionStudy& study) {
  std::string text = "scope,banks_in_lockstep,group,queries_per_column";
  for (const auto& field : kFields) text += fmt::format(",{}", field.key);
  text += '\n';
  for (const auto& cell : study.cells) {
    text += fmt::format("\"{}\",{},{},{}", cell.scope->name, cell.scope->banks, cell.group,
                        cell.queries_per_column);
    for (const auto& field : kFields) text += fmt::format(",{:.6g}", field.value(cell));
    text += '\n';
  }
  return text;
}

std::string attention_study_json(const AttentionStudy& study) {
  using Json = nlohmann::ordered_json;
  constexpr int kSchema = 1;
  Json json = {{"schema", kSchema},
               {"model_version", kModelVersion},
               {"workload", study.workload},
               {"cells", Json::array()}};
  for (const auto& cell : study.cells) {
    Json one = {{"scope", cell.scope->name},
                {"banks_in_lockstep", cell.scope->banks},
                {"group", cell.group},
                {"queries_per_column", cell.queries_per_column}};
    for (const auto& field : kFields) one[field.key] = field.value(cell);
    json["cells"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

std::string attention_study_markdown(const AttentionStudy& study) {
  std::string text = fmt::format("{}, paged-lifo against region\n", study.workload);
  const AttentionScope* scope = nullptr;
  for (const auto& cell : study.cells) {
    if (cell.scope != scope) {
      scope = cell.scope;
      text += fmt::format("\n{} banks in lockstep ({})\n\n| group | queries a column |",
                          scope->banks, scope->name);
      for (const auto& field : kFields) text += fmt::format(" {} |", field.label);
      text += "\n|---|---|";
      for (std::size_t i = 0; i < std::size(kFields); ++i) text += "---|";
      text += '\n';
    }
    text += fmt::format("| {} | {} |", cell.group, cell.queries_per_column);
    for (const auto& field : kFields)
      text += fmt::format(" {:.{}f} |", field.value(cell), field.decimals);
    text += '\n';
  }
  return text;
}

}  // namespace lockstep
