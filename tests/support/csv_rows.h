// Reads the small comma-separated files under tests/data: a header line, then plain fields.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

using CsvRow = std::map<std::string, std::string>;  // column name -> text

inline std::vector<std::string> split_fields(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::string field;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      fields.push_back(std::exchange(field, {}));
    } else if (c != '\r') {
      field += c;
    }
  }
  fields.push_back(field);
  return fields;
}

// The rows of tests/data/`name`; throws if the file is not there.
inline std::vector<CsvRow> read_csv_rows(const std::string& name) {
  std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/" + name);
  if (!file) throw std::runtime_error("no test data file " + name);
  std::string line;
  std::getline(file, line);
  const auto header = split_fields(line, ',');
  std::vector<CsvRow> rows;
  while (std::getline(file, line)) {
    const auto fields = split_fields(line, ',');
    CsvRow row;
    for (std::size_t i = 0; i < fields.size(); ++i) row[header.at(i)] = fields[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace lockstep
