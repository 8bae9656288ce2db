#include "tlm/contract/input_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "tlm/contract/errors.h"

namespace lockstep {

void require_input_file(const std::string& path) {
  open_input_file(path);
}

std::ifstream open_input_file(const std::string& path) {
  // A directory can be opened; only reading from it fails, and looks like an empty file.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(path + ": expected a file, got a directory");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path + ": expected a readable file, got: " + std::strerror(errno));
  return stream;
}

std::string read_input_file(const std::string& path) {
  std::ifstream stream = open_input_file(path);
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) {
    throw InputError(path + ": expected a readable file, got an error while reading");
  }
  return text.str();
}

}  // namespace lockstep
