#include "sim/commands/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tlm/contract/errors.h"

namespace lockstep {

std::string read_text_file(const std::string& file) {
  if (std::filesystem::is_directory(file))
    throw InputError(file + ": expected a file, got a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file + ": expected a readable file, got: " + std::strerror(errno));
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad())
    throw InputError(file + ": expected a readable file, got an error while reading");
  return text.str();
}

}  // namespace lockstep
