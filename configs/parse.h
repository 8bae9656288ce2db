// YAML text to a ConfigNode. The subset of YAML that says each thing in one way: no anchors,
// aliases, tags, merge keys, or second document. A scalar has no type until a reader asks for one,
// so `010` and `no` are the texts they look like.
#pragma once

#include <string>

#include "configs/node.h"

namespace lockstep {

constexpr int kMaxConfigDepth = 32;  // lists and maps within each other

// Never throws for bad text: each mistake is an issue, and what it spoils is a broken node.
// Duplicate keys are kept and reported.
ConfigNode parse_yaml(const std::string& text, const std::string& file, ConfigIssues& issues);

}  // namespace lockstep
