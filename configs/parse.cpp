#include "configs/parse.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "configs/message.h"
#include "configs/source_lines.h"
#include "configs/source_text.h"

namespace lockstep {
namespace {

// Ends the parsing of one file: nothing after it can be understood.
struct Stop {
  YAML::Mark mark;
  const char* message;
};

// Builds the tree from yaml-cpp's events. Events come before any alias is expanded, so a file of
// aliases upon aliases costs no more than its bytes.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const std::string& file, ConfigIssues& issues)
      : file_(file), lines_(text), issues_(issues) {}

  ConfigNode take_root() { return std::move(root_); }

  Place place_of(const YAML::Mark& mark) const {
    const int line = std::max(mark.line, 0);  // -1 in an error without a place
    return {file_, line + 1, lines_.column(line, std::max(mark.column, 0))};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      throw Stop{mark, "expected one YAML document, got a second one: is the indentation right?"};
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (expects_key()) throw Stop{mark, "expected a key, got nothing"};
    // yaml-cpp gives an absent value the place of the next token, which may be lines away.
    const bool in_map = !open_.empty() && open_.back().node.is(ConfigNode::Kind::kMap);
    add(ConfigNode::Kind::kNothing, in_map ? open_.back().key->place : place_of(mark), "");
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    report(mark, "expected the value written out, got an alias (`*name`)");
    if (expects_key()) throw Stop{mark, nullptr};
    add(ConfigNode::Kind::kBroken, place_of(mark), "");
  }

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    report(mark, "expected a value without an anchor, got " + in_backticks("&" + name));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    if (anchor == 0) require_one_line(mark, tag, value);
    if (!expects_key()) {
      add(ConfigNode::Kind::kScalar, place_of(mark), value);
      return;
    }
    if (value == "<<") throw Stop{mark, "expected a key, got the merge key `<<`"};
    open_.back().key = ConfigEntry{value, place_of(mark), {}};
    report_duplicate(*open_.back().key);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(ConfigNode::Kind::kList, mark, tag);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(ConfigNode::Kind::kMap, mark, tag);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    ConfigNode node;
    std::string path;  // of the node, with the separator before its keys
    std::optional<ConfigEntry> key;
    std::map<std::string, Place> first_seen;
  };

  void report(const YAML::Mark& mark, const std::string& message) {
    issues_.push_back({place_of(mark), message});
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.is(ConfigNode::Kind::kMap) && !open_.back().key;
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    const bool is_untagged = tag.empty() || tag == "?" || tag == "!";  // "!" marks quotes
    if (!is_untagged) report(mark, "expected a value without a tag, got " + in_backticks(tag));
  }

  // yaml-cpp takes a quote that is never closed, and folds what follows a forgotten colon or comma
  // into the value before it. Here a scalar ends on its line. (Behind an anchor or tag it stands
  // elsewhere.)
  void require_one_line(const YAML::Mark& mark, const std::string& tag, const std::string& value) {
    const bool is_tagged = tag != "?" && tag != "!";
    if (is_tagged || SourceLines::is_whole_scalar(lines_.rest(mark.line, mark.column), value))
      return;
    throw Stop{mark, "expected a value that ends on its line"};
  }

  void report_duplicate(const ConfigEntry& entry) {
    const auto [first, is_new] = open_.back().first_seen.emplace(entry.key, entry.place);
    if (is_new) return;
    issues_.push_back({entry.place, in_backticks(open_.back().path + entry.key) +
                                        " appears twice, first at " + to_string(first->second)});
  }

  void open(ConfigNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    refuse_tag(mark, tag);
    if (expects_key())
      throw Stop{mark, "expected a word as a key, got a list or map: is a bracket left open?"};
    if (open_.size() == kMaxConfigDepth) {
      throw Stop{mark, "expected at most 32 lists and maps within each other, got more"};
    }
    Open next;
    next.node.kind = kind;
    next.node.place = place_of(mark);
    next.path = child_path() + (kind == ConfigNode::Kind::kMap && !open_.empty() ? "." : "");
    open_.push_back(std::move(next));
  }

  std::string child_path() const {
    if (open_.empty()) return "";
    const Open& parent = open_.back();
    if (parent.key) return parent.path + parent.key->key;
    return parent.path + "[" + std::to_string(parent.node.items.size()) + "]";
  }

  void close() {
    ConfigNode node = std::move(open_.back().node);
    open_.pop_back();
    attach(std::move(node));
  }

  void add(ConfigNode::Kind kind, const Place& place, const std::string& text) {
    ConfigNode node;
    node.kind = kind;
    node.place = place;
    node.text = text;
    attach(std::move(node));
  }

  void attach(ConfigNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Open& parent = open_.back(); parent.key) {
      parent.key->value = std::move(node);
      parent.node.entries.push_back(*std::exchange(parent.key, std::nullopt));
    } else {
      parent.node.items.push_back(std::move(node));
    }
  }

  std::string file_;
  SourceLines lines_;
  ConfigIssues& issues_;
  std::vector<Open> open_;
  ConfigNode root_;
  int documents_ = 0;
};

}  // namespace

ConfigNode parse_yaml(const std::string& text, const std::string& file, ConfigIssues& issues) {
  ConfigNode broken;
  broken.place = {file, 1, 1};
  if (!is_text(text, file, issues)) return broken;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool has_mark = text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0;
  const std::string content = text.substr(has_mark ? kByteOrderMark.size() : 0);
  TreeBuilder builder(content, file, issues);
  try {
    std::istringstream stream(content);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) builder.OnNull(YAML::Mark(), 0);
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take_root();
  } catch (const Stop& stop) {
    if (stop.message != nullptr) issues.push_back({builder.place_of(stop.mark), stop.message});
  } catch (const YAML::Exception& error) {
    issues.push_back(
        {builder.place_of(error.mark), "expected YAML, got a syntax error: " + error.msg});
  }
  return broken;
}

}  // namespace lockstep
