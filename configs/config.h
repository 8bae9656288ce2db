// Reads YAML into plain structs. Every mistake in a file is reported at once, as file:line:column.
//
//   ConfigDocument doc = ConfigDocument::from_file("configs/hbm3.yaml");
//   const ChannelConfig config = read_channel(doc.root());
//   doc.throw_if_invalid();
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "tlm/contract/errors.h"
#include "tlm/contract/units.h"

namespace lockstep {

struct ConfigError : InputError {
  using InputError::InputError;
};

// Text to value. Specialised per type; nullopt means "not a T", including trailing characters.
template <typename T>
struct Scalar {
  static const char* expected();
  static std::optional<T> parse(const std::string& text);
};

class ConfigDocument;

// One YAML map. On destruction it reports each key that nobody asked for.
class ConfigSection {
 public:
  ConfigSection(ConfigDocument& doc, const YAML::Node& node, std::string path);
  ConfigSection(const ConfigSection&) = delete;
  ConfigSection& operator=(const ConfigSection&) = delete;
  ~ConfigSection();  // NOLINT(bugprone-exception-escape): only bad_alloc, and then ending is right

  template <typename T>
  T required(const std::string& key) {
    if (const auto node = find(key)) return convert<T>(key, *node);
    report_missing(key, Scalar<T>::expected());
    return T{};
  }

  template <typename T>
  T optional(const std::string& key, T fallback) {
    const auto node = find(key);
    return node ? convert<T>(key, *node) : fallback;
  }

  ConfigSection section(const std::string& key);

  // A rule across keys, reported at the line of `key`. Skipped once a key failed to parse, so that
  // one mistake gives one message.
  void require(bool holds, const std::string& key, const std::string& message);

 private:
  template <typename T>
  T convert(const std::string& key, const YAML::Node& node) {
    if (node.IsScalar()) {
      if (const auto value = Scalar<T>::parse(node.Scalar())) return *value;
    }
    report_type(key, node, Scalar<T>::expected());
    return T{};
  }

  std::optional<YAML::Node> find(const std::string& key);
  void report_missing(const std::string& key, const char* expected);
  void report_type(const std::string& key, const YAML::Node& node, const char* expected);
  void report_at(const YAML::Mark& mark, const std::string& message);

  ConfigDocument& doc_;
  YAML::Node node_;
  std::string path_;
  std::set<std::string> asked_;
  bool parsed_ = true;
};

class ConfigDocument {
 public:
  static ConfigDocument from_file(const std::string& file);
  static ConfigDocument from_text(const std::string& text, const std::string& file);

  ConfigSection root() { return {*this, node_, ""}; }
  void report(const YAML::Mark& mark, const std::string& message);
  void throw_if_invalid() const;

 private:
  ConfigDocument(const YAML::Node& node, std::string file);

  struct Issue {
    YAML::Mark mark;
    std::string message;
  };

  YAML::Node node_;
  std::string file_;
  std::vector<Issue> issues_;
};

}  // namespace lockstep
