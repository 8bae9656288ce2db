// A check report as text and as JSON.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/check/check_commands.h"

namespace lockstep {

std::string text_of(const CheckReport& report, std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(most, report.listed.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}:{}: {}\n", report.file, report.listed[i].line, report.listed[i].text);
  }
  const auto more = report.violations - static_cast<std::int64_t>(shown);
  if (more > 0) text += fmt::format("{}: {} more violations not shown\n", report.file, more);
  text += fmt::format("{}: {} commands, {} rules, {} violations\n", report.file, report.commands,
                      kRuleCount, report.violations);
  for (const auto& [rule, name, meaning] : kRules) {
    const auto count = report.by_rule[static_cast<std::size_t>(rule)];
    if (count > 0) text += fmt::format("  {:<14} {:>9}  {}\n", name, count, meaning);
  }
  return text;
}

std::string json_of(const CheckReport& report) {
  nlohmann::ordered_json json;
  json["schema"] = "lockstep-check-1";
  json["file"] = report.file;
  json["lines"] = report.lines;
  json["commands"] = report.commands;
  json["rules"] = kRuleCount;
  json["violations"] = report.violations;
  json["by_rule"] = nlohmann::ordered_json::object();
  for (const auto& [rule, name, meaning] : kRules) {
    const auto count = report.by_rule[static_cast<std::size_t>(rule)];
    if (count > 0) json["by_rule"][std::string(name)] = count;
  }
  json["listed"] = nlohmann::ordered_json::array();
  for (const auto& violation : report.listed) {
    nlohmann::ordered_json row;
    row["line"] = violation.line;
    row["rule"] = traits(violation.rule).name;
    row["needed_ck"] = violation.needed;
    row["found_ck"] = violation.found;
    row["earlier_line"] = violation.earlier_line;
    row["text"] = violation.text;
    json["listed"].push_back(std::move(row));
  }
  // File names need not be UTF-8.
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep
