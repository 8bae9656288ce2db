#include "configs/load.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "configs/merge.h"
#include "configs/message.h"
#include "configs/parse.h"
#include "configs/source_text.h"

namespace lockstep {
namespace {

using Kind = ConfigNode::Kind;

class Loader {
 public:
  LoadedConfig take() { return std::move(loaded_); }

  void load(const std::string& file) {
    loaded_.files.push_back(file);
    const auto bytes = read_bytes(file, {file, 1, 1}, loaded_.issues);
    if (bytes) loaded_.root = resolve(*bytes, file);
  }

  void load_text(const std::string& text, const std::string& file) {
    loaded_.files.push_back(file);
    loaded_.root = resolve(text, file);
  }

 private:
  // The tree of one file over that of the file it extends.
  ConfigNode resolve(const std::string& text, const std::string& file) {
    ConfigNode node = parse_yaml(text, file, loaded_.issues);
    if (!node.is(Kind::kMap)) {
      report_no_map(node);
      node.kind = Kind::kBroken;
      return node;
    }
    const auto name = take_extends(node);
    if (!name) return node;
    ConfigNode base = load_base(*name, file);
    if (base.is(Kind::kBroken)) {
      node.incomplete = true;
      return node;
    }
    return merged(std::move(base), std::move(node), "", loaded_.issues);
  }

  void report_no_map(const ConfigNode& node) {
    if (node.is(Kind::kBroken)) return;
    const bool is_empty = node.is(Kind::kNothing);
    const std::string got = is_empty ? "an empty file" : shown(node);
    const Place start{node.place.file, 1, 1};
    loaded_.issues.push_back({is_empty ? start : node.place, "expected a map of keys, got " + got});
  }

  // Removes the key from the tree: it is for the reader, not a part of the configuration.
  static std::optional<ConfigNode> take_extends(ConfigNode& node) {
    const ConfigNode* const found = node.find("extends");
    if (found == nullptr) return std::nullopt;
    std::optional<ConfigNode> name = *found;
    const auto is_extends = [](const ConfigEntry& entry) { return entry.key == "extends"; };
    auto& entries = node.entries;
    entries.erase(std::remove_if(entries.begin(), entries.end(), is_extends), entries.end());
    return name;
  }

  // The resolved tree of the file that `name` in `file` extends; broken if there is none.
  ConfigNode load_base(const ConfigNode& name, const std::string& file) {
    if (name.is(Kind::kBroken)) return {};
    if (!name.is(Kind::kScalar) || name.text.empty()) {
      return refused(name, "expected the name of a file, got " + shown(name));
    }
    const auto folder = std::filesystem::path(file).parent_path();
    const std::string base = (folder / name.text).lexically_normal().string();
    if (loaded_.files.size() > kMaxExtends) {
      return refused(name, "expected at most 16 files that extend each other, got more");
    }
    for (const auto& reader : loaded_.files) {
      if (!is_same_file(reader, base)) continue;
      return refused(name, "expected a file that does not lead back here, got " +
                               file_in_backticks(base) + ", which extends " +
                               file_in_backticks(file));
    }
    const auto bytes = read_bytes(base, name.place, loaded_.issues);
    if (!bytes) return {};
    loaded_.files.push_back(base);
    return resolve(*bytes, base);
  }

  ConfigNode refused(const ConfigNode& name, const std::string& message) {
    loaded_.issues.push_back({name.place, "`extends`: " + message});
    return {};
  }

  static bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code ignored;
    return a == b || std::filesystem::equivalent(a, b, ignored);
  }

  LoadedConfig loaded_;
};

}  // namespace

LoadedConfig load_config(const std::string& file) {
  Loader loader;
  loader.load(file);
  return loader.take();
}

LoadedConfig load_config_text(const std::string& text, const std::string& file) {
  Loader loader;
  loader.load_text(text, file);
  return loader.take();
}

}  // namespace lockstep
