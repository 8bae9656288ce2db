// The tree a configuration is read into: scalars, lists and maps, each with the place it came from.
#pragma once

#include <string>
#include <vector>

namespace lockstep {

// Where something was written. Lines and columns count from 1.
struct Place {
  std::string file;
  int line = 1;
  int column = 1;
};

// `file:line:column`
std::string to_string(const Place& place);

struct ConfigEntry;

struct ConfigNode {
  enum class Kind {
    kBroken,   // already reported: whoever reads it stays silent, so one mistake gives one message
    kNothing,  // `key:` without a value, `~` or `null`
    kScalar,
    kList,
    kMap,
  };

  Kind kind = Kind::kBroken;
  Place place;
  std::string text;                  // of a scalar, without its quotes
  std::vector<ConfigNode> items;     // of a list
  std::vector<ConfigEntry> entries;  // of a map, in source order, duplicates kept
  bool incomplete = false;           // a part of this map was unreadable: a missing key is no news

  bool is(Kind which) const { return kind == which; }

  // The value of the first entry named `key` of a map; nullptr if there is none.
  const ConfigNode* find(const std::string& key) const;
  ConfigNode* find(const std::string& key);
};

struct ConfigEntry {
  std::string key;
  Place place;  // of the key
  ConfigNode value;
};

// One mistake. `missing_path` names the key if the mistake is that a key is not there: the message
// gives way to that of an unknown key which is a misspelling of it.
struct ConfigIssue {
  Place place;
  std::string message;
  std::string missing_path = {};
};

using ConfigIssues = std::vector<ConfigIssue>;

}  // namespace lockstep
