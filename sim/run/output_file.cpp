#include "sim/run/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw InputError(path + ": expected a place to write to, got: " + std::strerror(error));
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), temporary_(path_ + ".part" + std::to_string(getpid())) {
  const auto folder = std::filesystem::path(path_).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) refuse(folder.string(), error.value());
  if (std::filesystem::is_directory(path_)) refuse(path_, EISDIR);
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) refuse(path_, errno);
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void OutputFile::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) refuse(path_, errno);
}

void OutputFile::keep() {
  std::FILE* const file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    std::remove(temporary_.c_str());
    refuse(path_, error);
  }
}

std::string numbered(const std::string& path, const std::string& part, std::size_t count) {
  if (count < 2) return path;
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "." + part + whole.extension().string()))
      .string();
}

}  // namespace lockstep
