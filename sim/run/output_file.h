// A file that appears whole or not at all: written beside its place, moved there by keep().
#pragma once

#include <cstdio>
#include <string>

namespace lockstep {

class OutputFile {
 public:
  // Creates missing folders. Throws InputError if the place cannot be written.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  // without keep(), leaves nothing behind

  std::FILE* stream() { return file_; }
  void write(const std::string& text);
  void keep();

 private:
  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

// `path`, with `part` before its extension where there are several: trace.csv, trace.region.csv.
std::string numbered(const std::string& path, const std::string& part, std::size_t count);

}  // namespace lockstep
