// A file that appears whole or not at all: written beside its place, moved there by keep().
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

class OutputFile {
 public:
  // Creates missing folders. Throws InputError if the place cannot be written.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  // without keep(), leaves nothing behind, nor the folders it created

  std::FILE* stream() { return file_; }
  void write(const std::string& text);
  void keep();

 private:
  void create_folders(const std::filesystem::path& folder);
  void remove_folders();

  std::string path_;
  std::string temporary_;
  std::vector<std::filesystem::path> created_folders_;  // the outermost first
  std::FILE* file_ = nullptr;
};

// Files of one folder, by name. write_files() leaves all of them there, or none.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;
void write_files(const std::string& folder, const NamedTexts& files);

// `path`, with `part` before its extension where there are several: trace.csv, trace.region.csv.
std::string numbered(const std::string& path, const std::string& part, std::size_t count);

}  // namespace lockstep
