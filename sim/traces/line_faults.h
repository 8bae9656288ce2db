// The wrong lines of a trace: the first of them as text, the others counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

constexpr std::int64_t kMaxListedLines = 20;

class LineFaults {
 public:
  explicit LineFaults(std::string file) : file_(std::move(file)) {}

  // Notes `file:line:column: what, expected …, got …`; `message` is what comes after the place.
  void add(std::int64_t line, std::size_t column, const std::string& message);
  std::int64_t count() const { return count_; }
  const std::string& file() const { return file_; }
  // Throws them as InputError.
  void throw_if_any() const;

 private:
  std::string file_;
  std::string text_;
  std::int64_t count_ = 0;
};

// "`bank`: expected a whole number from 0 to 3, got `7`"
std::string mismatch(std::string_view field, std::string_view expected, std::string_view got);

}  // namespace lockstep
