// Files that a user named: what is wrong with one is said in the same words everywhere.
#pragma once

#include <fstream>
#include <string>

namespace lockstep {

// Throws InputError if `path` is missing, a directory, or may not be read. For what opens files by
// name itself; else open_input_file says the same.
void require_input_file(const std::string& path);

// `path` opened to read its bytes. Throws InputError as require_input_file.
std::ifstream open_input_file(const std::string& path);

// All bytes of `path`. Throws InputError as require_input_file, and if reading fails.
std::string read_input_file(const std::string& path);

}  // namespace lockstep
