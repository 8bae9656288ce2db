#include "sim/run/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
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
  std::error_code unknown;
  if (std::filesystem::is_directory(path_, unknown)) refuse(path_, EISDIR);
  const auto folder = std::filesystem::path(path_).parent_path();
  // Another run that gives up may remove the folder between the two steps.
  constexpr int kAttempts = 3;
  for (int attempt = 0; attempt < kAttempts && file_ == nullptr; ++attempt) {
    create_folders(folder);
    file_ = std::fopen(temporary_.c_str(), "wb");
    if (file_ == nullptr && errno != ENOENT) break;
  }
  if (file_ != nullptr) return;
  const int error = errno;
  remove_folders();
  refuse(path_, error);
}

void OutputFile::create_folders(const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return;
  create_folders(folder.parent_path());
  if (std::filesystem::create_directory(folder, error)) {
    created_folders_.push_back(folder);
  } else if (error) {
    remove_folders();
    refuse(folder.string(), error.value() == EEXIST ? ENOTDIR : error.value());
  }
}

// Those that nobody has put anything into meanwhile.
void OutputFile::remove_folders() {
  while (!created_folders_.empty()) {
    std::error_code not_empty;
    std::filesystem::remove(created_folders_.back(), not_empty);
    created_folders_.pop_back();
  }
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
  remove_folders();
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

void write_files(const std::string& folder, const NamedTexts& files) {
  std::vector<std::unique_ptr<OutputFile>> outputs;
  for (const auto& [name, text] : files) {
    outputs.push_back(
        std::make_unique<OutputFile>((std::filesystem::path(folder) / name).string()));
    outputs.back()->write(text);
  }
  for (auto& output : outputs) output->keep();
}

std::string numbered(const std::string& path, const std::string& part, std::size_t count) {
  if (count < 2) return path;
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "." + part + whole.extension().string()))
      .string();
}

}  // namespace lockstep
