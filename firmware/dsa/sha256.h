// SHA-256 (FIPS 180-4): binds the arrays of a score trace to its meta.json.
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace lockstep
