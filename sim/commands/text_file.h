// Reads a whole file that a command was given.
#pragma once

#include <string>

namespace lockstep {

// Throws InputError if `file` is missing, a folder, or cannot be read.
std::string read_text_file(const std::string& file);

}  // namespace lockstep
