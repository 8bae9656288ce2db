#include "sim/study/text_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep {

std::string aligned_table(const std::vector<TableRow>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += fmt::format("{:<{}}  ", row[c], widths[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string piped_table(const std::vector<TableRow>& rows) {
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += fmt::format("| {} |\n", fmt::join(rows[r], " | "));
    if (r > 0) continue;
    for (std::size_t c = 0; c < rows[r].size(); ++c) text += "|---";
    text += "|\n";
  }
  return text;
}

void append_overrides(std::string_view list, std::vector<std::string>& overrides) {
  constexpr std::string_view kSeparator = " ; ";
  while (!list.empty()) {
    const auto end = std::min(list.find(kSeparator), list.size());
    overrides.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + kSeparator.size(), list.size()));
  }
}

}  // namespace lockstep
