// Reads YAML into plain structs. All mistakes of all files are reported at once, as
// file:line:column.
//
// Reading a section is one function, which asks for each key once and never stops at a mistake:
//
//   PimConfig read_pim(ConfigSection section) {
//     PimConfig config;
//     config.units = section.required_in<int>("units", 1, 64);
//     config.latency = section.optional<Picoseconds>("latency", Picoseconds{0});
//     config.policy = section.choice("policy", names_of(kPolicies));
//     section.require(config.units % 2 == 0, "units", "must be even");
//     return config;
//   }
//
//   ConfigDocument doc = ConfigDocument::from_file("configs/hbm3.yaml");
//   doc.set("pim.units=8");
//   const PimConfig config = read_pim(doc.root().section("pim"));
//   doc.throw_if_invalid();
//
// What a mistake leaves behind is a T{} (the smallest value, if a range was asked for); nothing may
// be done with it before throw_if_invalid.
#pragma once

#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "configs/load.h"
#include "configs/node.h"
#include "configs/scalar.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/span.h"
#include "tlm/contract/units.h"

namespace lockstep {

struct ConfigError : InputError {
  using InputError::InputError;
};

class ConfigDocument;

// One map of a document, to be read by key. A handle: cheap to copy, valid while the document is
// and until its next `set`. A key that no section of the map asks for is unknown, and so a mistake.
class ConfigSection {
 public:
  ConfigSection(ConfigDocument& doc, const ConfigNode& node, std::string path);

  template <typename T>
  T required(const std::string& key) {
    const ConfigNode* const node = require_node(key, Scalar<T>::expected());
    return node != nullptr ? convert<T>(path_ + key, *node) : T{};
  }

  template <typename T>
  T optional(const std::string& key, T fallback) {
    return has(key) ? required<T>(key) : fallback;
  }

  // From min to max, both included.
  template <typename T>
  T required_in(const std::string& key, T min, T max) {
    const ConfigNode* const node = require_node(key, range_text(min, max));
    return node != nullptr ? convert_in(path_ + key, *node, min, max) : min;
  }

  template <typename T>
  T optional_in(const std::string& key, T fallback, T min, T max) {
    return has(key) ? required_in(key, min, max) : fallback;
  }

  // A list of scalars, which may be empty. An item that is no T is a T{}.
  template <typename T>
  std::vector<T> required_list(const std::string& key) {
    std::vector<T> values;
    const std::string expected = std::string("a list, each item ") + Scalar<T>::expected();
    for (const auto& item : items(key, expected)) {
      const std::string path = path_ + key + "[" + std::to_string(values.size()) + "]";
      values.push_back(convert<T>(path, item));
    }
    return values;
  }

  template <typename T>
  std::vector<T> optional_list(const std::string& key, std::vector<T> fallback) {
    return has(key) ? required_list<T>(key) : fallback;
  }

  // The index of the value in `names`; 0 after a mistake.
  std::size_t choice(const std::string& key, Span<std::string_view> names);
  std::size_t optional_choice(const std::string& key, Span<std::string_view> names,
                              std::size_t fallback);

  ConfigSection section(const std::string& key);
  std::vector<ConfigSection> sections(const std::string& key);  // of a list of maps

  bool has(const std::string& key);      // is it written? Makes the key known.
  bool has_map(const std::string& key);  // the same; is it written as a map?
  void accept(const std::string& key);   // makes it known; what is below it is not checked

  // A rule across keys, reported at the value of `key`. Skipped once a key of this section, or
  // below it, failed to parse, so that one mistake gives one message.
  void require(bool holds, const std::string& key, const std::string& message);

  // The same for a rule that takes only `keys` into account; reported at the first of them.
  void require_among(std::initializer_list<std::string_view> keys, bool holds,
                     const std::string& message);

  // Whether all that was read of this section so far, and below it, is what was asked for.
  bool parsed() const;

  // The place of the value of `key`, or of the section if it is not written.
  Place place_of(const std::string& key) const;

 private:
  template <typename T>
  static std::string range_text(T min, T max) {
    const std::string start = Scalar<T>::noun();
    if (is_highest(max)) return start + " of at least " + Scalar<T>::print(min);
    return start + " from " + Scalar<T>::print(min) + " to " + Scalar<T>::print(max);
  }

  template <typename T>
  static bool is_highest(T value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return value == std::numeric_limits<T>::max();
    } else {
      return value.count == std::numeric_limits<std::int64_t>::max();
    }
  }

  template <typename T>
  T convert(const std::string& path, const ConfigNode& node) {
    if (node.is(ConfigNode::Kind::kScalar)) {
      if (const auto value = Scalar<T>::parse(node.text)) return *value;
    }
    mistyped(path, node, Scalar<T>::expected(), hint<T>(node));
    return T{};
  }

  template <typename T>
  T convert_in(const std::string& path, const ConfigNode& node, T min, T max) {
    if (node.is(ConfigNode::Kind::kScalar)) {
      const auto value = Scalar<T>::parse(node.text);
      if (value && *value >= min && *value <= max) return *value;
      mistyped(path, node, range_text(min, max), value ? "" : hint<T>(node));
    } else {
      mistyped(path, node, range_text(min, max), "");
    }
    return min;
  }

  template <typename T>
  static std::string hint(const ConfigNode& node) {
    return std::is_integral_v<T> ? whole_number_hint(node.text) : "";
  }

  const ConfigNode* require_node(const std::string& key, const std::string& expected);
  const std::vector<ConfigNode>& items(const std::string& key, const std::string& expected);
  void mistyped(const std::string& path, const ConfigNode& node, const std::string& expected,
                const std::string& hint);

  ConfigDocument* doc_;
  const ConfigNode* node_;
  std::string path_;  // with the dot before its keys
};

class ConfigDocument {
 public:
  // Neither throws for bad input: throw_if_invalid does, with the mistakes of the readers as well.
  static ConfigDocument from_file(const std::string& file);
  static ConfigDocument from_text(const std::string& text, const std::string& file);

  // Overrides a value by `path.to.key=value`, the value in YAML: `pim.lanes=[1, 2]`. The key may be
  // new, the maps above it may not. Call it before root().
  void set(const std::string& assignment);

  ConfigSection root() { return {*this, loaded_.root, ""}; }
  const ConfigNode& tree() const { return loaded_.root; }  // resolved: for dump and config_hash
  const std::vector<std::string>& files() const { return loaded_.files; }

  void report(const Place& place, const std::string& message);

  // One mistake a line, in the order of files, lines and columns; "" for a valid document.
  // Overrides come after the files, in the order they were set.
  std::string mistakes() const;

  // Throws mistakes() as a ConfigError. Unknown keys are found here: read everything first.
  void throw_if_invalid() const;

 private:
  friend class ConfigSection;

  struct Asked {
    const ConfigNode* node;
    std::set<std::string> keys;
  };

  explicit ConfigDocument(LoadedConfig loaded) : loaded_(std::move(loaded)) {}

  void add_unknown_keys(ConfigIssues& issues) const;
  void fail(const std::string& path) { failed_.insert(path); }
  bool any_failed_below(const std::string& prefix) const;
  bool has_failed(const std::string& path) const;

  LoadedConfig loaded_;
  std::map<std::string, Asked> asked_;  // by the path of the section
  std::set<std::string> failed_;        // paths of the values that were reported or are broken
};

}  // namespace lockstep
