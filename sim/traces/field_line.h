// A line of a text trace cut into fields, and integers in them.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/workload/line_reader.h"
#include "sim/traces/line_faults.h"

namespace lockstep {

class FieldLines {
 public:
  // InputError if the file cannot be opened. `separator` ` ` takes any run of blanks.
  FieldLines(const std::string& path, char separator);

  // Reads the next line that is not blank; false at the end.
  bool next();
  std::size_t count() const { return fields_.size(); }
  std::string_view operator[](std::size_t i) const { return fields_[i]; }
  const std::string& line() const { return line_; }
  std::int64_t line_number() const { return lines_.line_number(); }

  // A whole number of at least -1, decimal or with 0x; notes a fault if it is none.
  std::int64_t integer(std::size_t i, std::string_view name);
  void fault(std::size_t i, std::string_view name, std::string_view expected);
  void finish() const { faults_.throw_if_any(); }

 private:
  std::ifstream stream_;
  LineReader lines_;
  LineFaults faults_;
  char separator_;
  std::string line_;
  std::vector<std::string_view> fields_;
};

}  // namespace lockstep
