#include <algorithm>

#include "configs/config.h"
#include "configs/message.h"

namespace lockstep {
namespace {

using Kind = ConfigNode::Kind;

const ConfigNode kNoNode{};  // broken, so that reading it is silent

}  // namespace

ConfigSection::ConfigSection(ConfigDocument& doc, const ConfigNode& node, std::string path)
    : doc_(&doc), node_(&node), path_(std::move(path)) {
  doc_->asked_.emplace(path_, ConfigDocument::Asked{node_, {}});
}

std::size_t ConfigSection::choice(const std::string& key, Span<std::string_view> names) {
  std::string expected = "one of ";
  for (const auto& name : names) {
    if (&name != names.begin()) expected += ", ";
    expected += name;
  }
  const ConfigNode* const node = require_node(key, expected);
  if (node == nullptr) return 0;
  const auto found = std::find(names.begin(), names.end(), node->text);
  if (node->is(Kind::kScalar) && found != names.end()) {
    return static_cast<std::size_t>(found - names.begin());
  }
  mistyped(path_ + key, *node, expected,
           suggestion(node->text, std::set<std::string>(names.begin(), names.end())));
  return 0;
}

std::size_t ConfigSection::optional_choice(const std::string& key, Span<std::string_view> names,
                                           std::size_t fallback) {
  return has(key) ? choice(key, names) : fallback;
}

ConfigSection ConfigSection::section(const std::string& key) {
  const std::string path = path_ + key;
  const ConfigNode* const node = require_node(key, "a map");
  if (node == nullptr) return {*doc_, kNoNode, path + "."};
  if (node->is(Kind::kMap)) return {*doc_, *node, path + "."};
  mistyped(path, *node, "a map", "");
  return {*doc_, kNoNode, path + "."};
}

std::vector<ConfigSection> ConfigSection::sections(const std::string& key) {
  std::vector<ConfigSection> result;
  for (const auto& item : items(key, "a list of maps")) {
    const std::string path = path_ + key + "[" + std::to_string(result.size()) + "]";
    if (!item.is(Kind::kMap)) mistyped(path, item, "a map", "");
    result.push_back({*doc_, item.is(Kind::kMap) ? item : kNoNode, path + "."});
  }
  return result;
}

bool ConfigSection::has(const std::string& key) {
  accept(key);
  return node_->find(key) != nullptr;
}

bool ConfigSection::has_map(const std::string& key) {
  return has(key) && node_->find(key)->is(Kind::kMap);
}

void ConfigSection::accept(const std::string& key) {
  doc_->asked_.at(path_).keys.insert(key);
}

void ConfigSection::require(bool holds, const std::string& key, const std::string& message) {
  if (holds || !parsed()) return;
  doc_->report(place_of(key), in_backticks(path_ + key) + ": " + message);
}

void ConfigSection::require_among(std::initializer_list<std::string_view> keys, bool holds,
                                  const std::string& message) {
  ensure(keys.size() > 0, "a rule names the keys it is about");
  if (holds || node_->is(Kind::kBroken)) return;
  for (const auto key : keys) {
    if (doc_->has_failed(path_ + std::string(key))) return;
  }
  const std::string first{*keys.begin()};
  doc_->report(place_of(first), in_backticks(path_ + first) + ": " + message);
}

bool ConfigSection::parsed() const {
  return node_->is(Kind::kMap) && !doc_->any_failed_below(path_);
}

Place ConfigSection::place_of(const std::string& key) const {
  const ConfigNode* const node = node_->find(key);
  return node != nullptr ? node->place : node_->place;
}

const ConfigNode* ConfigSection::require_node(const std::string& key, const std::string& expected) {
  accept(key);
  if (const ConfigNode* const node = node_->find(key)) return node;
  doc_->fail(path_ + key);
  if (node_->is(Kind::kMap) && !node_->incomplete) {
    const std::string path = path_ + key;
    doc_->loaded_.issues.push_back(
        {node_->place, "missing key " + in_backticks(path) + " (" + expected + ")", path});
  }
  return nullptr;
}

const std::vector<ConfigNode>& ConfigSection::items(const std::string& key,
                                                    const std::string& expected) {
  const ConfigNode* const node = require_node(key, expected);
  if (node == nullptr) return kNoNode.items;
  if (!node->is(Kind::kList)) mistyped(path_ + key, *node, expected, "");
  return node->items;  // empty unless it is a list
}

void ConfigSection::mistyped(const std::string& path, const ConfigNode& node,
                             const std::string& expected, const std::string& hint) {
  doc_->fail(path);
  if (node.is(Kind::kBroken)) return;
  doc_->report(node.place,
               in_backticks(path) + ": expected " + expected + ", got " + shown(node) + hint);
}

}  // namespace lockstep
