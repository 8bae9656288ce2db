#include "sim/traces/trace_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw InputError(path + ": expected a place to write to, got: " + std::strerror(errno));
}

}  // namespace

TraceFile::TraceFile(std::string path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
  if (file_ == nullptr) refuse(path_);
  text_.reserve(2 * kBufferBytes);
}

TraceFile::~TraceFile() {
  if (file_ == nullptr) return;
  std::fwrite(text_.data(), 1, text_.size(), file_);
  std::fclose(file_);
}

void TraceFile::flush() {
  if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size()) refuse(path_);
  text_.clear();
}

void TraceFile::close() {
  if (file_ == nullptr) return;
  flush();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) refuse(path_);
}

}  // namespace lockstep
