// Tables of a study as text and as Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

using TableRow = std::vector<std::string>;

// The first row is the head; all rows are as long.
std::string aligned_table(const std::vector<TableRow>& rows);
std::string piped_table(const std::vector<TableRow>& rows);

// ` ; ` separates the overrides of a study's tables.
void append_overrides(std::string_view list, std::vector<std::string>& overrides);

}  // namespace lockstep
