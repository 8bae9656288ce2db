#include "configs/merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "configs/message.h"
#include "configs/parse.h"

namespace lockstep {
namespace {

using Kind = ConfigNode::Kind;

ConfigNode broken_at(const Place& place) {
  ConfigNode node;
  node.place = place;
  return node;
}

std::set<std::string> keys_of(const ConfigNode& map) {
  std::set<std::string> keys;
  for (const auto& entry : map.entries) keys.insert(entry.key);
  return keys;
}

// The map that `path` of the assignment lies in; nullptr, with an issue, if it is not there.
ConfigNode* parent_map(ConfigNode& root, const std::string& path, const std::string& file,
                       ConfigIssues& issues) {
  ConfigNode* node = &root;
  std::size_t start = 0;
  for (auto dot = path.find('.'); dot != std::string::npos; dot = path.find('.', start)) {
    const std::string key = path.substr(start, dot - start);
    const Place place{file, 1, static_cast<int>(start) + 1};
    ConfigNode* child = node->find(key);
    if (child == nullptr) {
      issues.push_back({place, "there is no " + in_backticks(path.substr(0, dot)) +
                                   " to set a key of" + suggestion(key, keys_of(*node))});
      return nullptr;
    }
    if (!child->is(Kind::kMap)) {
      if (!child->is(Kind::kBroken)) {
        issues.push_back({place, in_backticks(path.substr(0, dot)) +
                                     ": expected a map to set a key of, got " + shown(*child)});
      }
      return nullptr;
    }
    node = child;
    start = dot + 1;
  }
  return node;
}

// A parameter is either a time (`tRP`) or a count of clocks (`nRP`): the two names stand for one
// value, so that which is given last holds. "" for a key of another form.
std::string other_name(const std::string& key) {
  const bool named =
      key.size() > 1 && (key[0] == 't' || key[0] == 'n') && key[1] >= 'A' && key[1] <= 'Z';
  return named ? (key[0] == 't' ? "n" : "t") + key.substr(1) : "";
}

void erase_key(ConfigNode& map, const std::string& key) {
  const auto is_key = [&](const ConfigEntry& entry) { return entry.key == key; };
  map.entries.erase(std::remove_if(map.entries.begin(), map.entries.end(), is_key),
                    map.entries.end());
}

bool is_path(const std::string& path) {
  return !path.empty() && path.front() != '.' && path.back() != '.' &&
         path.find("..") == std::string::npos && path.find_first_of(" \t\n") == std::string::npos;
}

}  // namespace

ConfigNode merged(ConfigNode base, ConfigNode over, const std::string& path, ConfigIssues& issues) {
  if (base.is(Kind::kBroken) || over.is(Kind::kBroken)) return broken_at(over.place);
  if (base.is(Kind::kMap) != over.is(Kind::kMap)) {
    const std::string expected = base.is(Kind::kMap) ? "a map" : "no map";
    issues.push_back({over.place, in_backticks(path) + ": expected " + expected + ", as at " +
                                      to_string(base.place) + ", got " + shown(over)});
    return broken_at(over.place);
  }
  if (!base.is(Kind::kMap)) return over;

  for (const auto& entry : over.entries) {
    if (base.find(entry.key) == nullptr) erase_key(base, other_name(entry.key));
  }
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < base.entries.size(); ++i) index.emplace(base.entries[i].key, i);
  for (auto& entry : over.entries) {
    const auto [found, is_new] = index.emplace(entry.key, base.entries.size());
    if (is_new) {
      base.entries.push_back(std::move(entry));
      continue;
    }
    ConfigEntry& old = base.entries[found->second];
    const std::string child = path.empty() ? entry.key : path + "." + entry.key;
    old.value = merged(std::move(old.value), std::move(entry.value), child, issues);
    old.place = entry.place;
  }
  base.place = over.place;
  base.incomplete = base.incomplete || over.incomplete;
  return base;
}

std::string assignment_name(const std::string& assignment) {
  const std::string cut = in_backticks(assignment, kShownValueBytes);
  return "--set " + cut.substr(1, cut.size() - 2);
}

void set_path(ConfigNode& root, const std::string& assignment, ConfigIssues& issues) {
  const std::string file = assignment_name(assignment);
  const Place start_of_all{file, 1, 1};
  const auto equals = assignment.find('=');
  const std::string path = assignment.substr(0, equals);
  if (equals == std::string::npos || !is_path(path) || assignment.find('\n') != std::string::npos) {
    issues.push_back({start_of_all, "expected `path.to.key=value`, got " +
                                        in_backticks(assignment, kShownValueBytes)});
    return;
  }
  // Blanks in place of the path give the value its column.
  const std::string text = std::string(equals + 1, ' ') + assignment.substr(equals + 1);
  ConfigNode value = parse_yaml(text, file, issues);
  if (value.is(Kind::kNothing)) value.place = {file, 1, static_cast<int>(equals) + 2};
  if (!root.is(Kind::kMap)) return;
  ConfigNode* const parent = parent_map(root, path, file, issues);
  if (parent == nullptr) return;
  const auto start = path.rfind('.') + 1;  // npos + 1 is 0
  const std::string key = path.substr(start);
  if (ConfigNode* const old = parent->find(key)) {
    *old = merged(std::move(*old), std::move(value), path, issues);
  } else {
    erase_key(*parent, other_name(key));
    parent->entries.push_back({key, {file, 1, static_cast<int>(start) + 1}, std::move(value)});
  }
}

}  // namespace lockstep
