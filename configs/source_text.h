// Bytes before they are YAML: reading a file, and refusing what is no text.
#pragma once

#include <optional>
#include <string>

#include "configs/node.h"

namespace lockstep {

// A configuration is written by hand. What is larger is the wrong file, and would only be slow.
constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

// yaml-cpp 0.7 takes time that grows with the square of a `[…]` on one line: 79 s for 1 MB.
constexpr std::size_t kMaxLineBytes = std::size_t{4} << 10;

// The bytes of `file`. If it cannot be read, nullopt and an issue at `asked_at`; a file that is too
// large is cut at kMaxConfigBytes + 1 bytes, for is_text to report.
std::optional<std::string> read_bytes(const std::string& file, const Place& asked_at,
                                      ConfigIssues& issues);

// Whether `text` is UTF-8 within the two limits above, without control characters or tabs in
// indentation. The first thing that is not becomes one issue at its place in `file`.
bool is_text(const std::string& text, const std::string& file, ConfigIssues& issues);

}  // namespace lockstep
