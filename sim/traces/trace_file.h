// A text file that is written front to back, with the digits of traces.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace lockstep {

class TraceFile {
 public:
  // Overwrites the file. InputError if it cannot be created.
  explicit TraceFile(std::string path);
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  ~TraceFile();  // writes what is left, without a word

  // What is to be written next; call written() when a piece of it is complete.
  std::string& text() { return text_; }
  void written() {
    if (text_.size() >= kBufferBytes) flush();
  }
  void close();
  bool is_open() const { return file_ != nullptr; }
  const std::string& path() const { return path_; }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 16;
  void flush();

  std::string path_;
  std::string text_;
  std::FILE* file_;
};

}  // namespace lockstep
