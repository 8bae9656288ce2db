// Files to one tree: reads a file and those it extends, and merges them.
#pragma once

#include <string>
#include <vector>

#include "configs/node.h"

namespace lockstep {

constexpr int kMaxExtends = 16;  // files below the first

struct LoadedConfig {
  ConfigNode root;                 // a map, or broken
  std::vector<std::string> files;  // in the order read, the extending file first
  ConfigIssues issues;
};

// `extends: other.yaml` at the top of a file names another file, relative to its own folder; the
// extending file wins. Never throws for bad input: what is wrong is in `issues`.
LoadedConfig load_config(const std::string& file);

// The same for text in memory; `file` is its name in messages and the start of relative names.
LoadedConfig load_config_text(const std::string& text, const std::string& file);

}  // namespace lockstep
