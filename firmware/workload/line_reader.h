// Lines of a text stream, one at a time, in constant memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>

namespace lockstep {

class LineReader {
 public:
  // Longest line of a known trace is 4 KB; a line of this size is not a request.
  static constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;

  // `name` stands for the stream in messages. The stream must outlive the reader.
  LineReader(std::istream& stream, std::string name);

  // Puts the next line in `line`, without its end (LF or CR LF, absent at the end of the file) and
  // without a byte order mark. False at the end. InputError: too long, binary, or unreadable.
  bool next(std::string& line);

  std::int64_t line_number() const { return line_number_; }  // of the last line, from 1
  std::int64_t bytes_read() const { return bytes_read_; }

 private:
  bool refill();
  void finish(std::string& line) const;
  [[noreturn]] void refuse(const std::string& message) const;

  std::istream& stream_;
  std::string name_;
  std::array<char, std::size_t{1} << 16> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::int64_t line_number_ = 0;
  std::int64_t bytes_read_ = 0;
};

}  // namespace lockstep
