// The words that every message of the reader shares.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "configs/node.h"

namespace lockstep {

// `text` in backticks on one line: control characters escaped, cut after 60 bytes.
std::string in_backticks(std::string_view text);

// What was found in place of the expected: `text`, a list, a map or nothing.
std::string shown(const ConfigNode& node);

// "; did you mean `channels`?", or "" if no candidate is near. A key of up to five letters may
// differ by one edit, a longer one by two; the case of letters does not count.
std::string suggestion(std::string_view text, const std::set<std::string>& candidates);

// The candidate that `suggestion` names, or "".
std::string nearest(std::string_view text, const std::set<std::string>& candidates);

}  // namespace lockstep
