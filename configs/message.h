// The words that every message of the reader shares.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "configs/node.h"

namespace lockstep {

constexpr std::size_t kShownValueBytes = 60;  // enough to recognise it by
constexpr std::size_t kShownKeyBytes = 240;

// `text` in backticks on one line: control characters escaped, cut after so many bytes.
std::string in_backticks(std::string_view text, std::size_t most = kShownKeyBytes);

// The same, never cut: a reader must be able to find the file.
std::string file_in_backticks(std::string_view file);

// What was found in place of the expected: `text`, a list, a map or nothing.
std::string shown(const ConfigNode& node);

// The nearest candidate, or "" if none is near: one edit for three letters, two at most. The case
// of letters does not count.
std::string nearest(std::string_view text, const std::set<std::string>& candidates);

// "; did you mean `name`?", or "" for no name.
std::string did_you_mean(std::string_view name);

// did_you_mean(nearest(text, candidates))
std::string suggestion(std::string_view text, const std::set<std::string>& candidates);

}  // namespace lockstep
