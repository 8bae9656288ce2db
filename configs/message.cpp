#include "configs/message.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

std::string escaped(unsigned char byte) {
  constexpr std::string_view kHex = "0123456789abcdef";
  if (byte == '\n') return "\\n";
  if (byte == '\t') return "\\t";
  if (byte >= 0x20 && byte != 0x7F) return {static_cast<char>(byte)};
  return {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

// Cuts before a whole UTF-8 character, so that a message stays valid text.
std::string_view first_bytes(std::string_view text, std::size_t count) {
  while (count > 0 && (static_cast<unsigned char>(text[count]) & 0xC0) == 0x80) --count;
  return text.substr(0, count);
}

std::string lower(std::string_view text) {
  std::string result{text};
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Levenshtein's distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, substitute}));
    }
  }
  return row.back();
}

}  // namespace

std::string to_string(const Place& place) {
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

const ConfigNode* ConfigNode::find(const std::string& key) const {
  for (const auto& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

ConfigNode* ConfigNode::find(const std::string& key) {
  return const_cast<ConfigNode*>(std::as_const(*this).find(key));
}

std::string in_backticks(std::string_view text, std::size_t most) {
  const bool whole = text.size() <= most;
  std::string result = "`";
  for (const char c : whole ? text : first_bytes(text, most)) {
    result += escaped(static_cast<unsigned char>(c));
  }
  return result + (whole ? "`" : "…`");
}

std::string file_in_backticks(std::string_view file) {
  return in_backticks(file, file.size());
}

std::string shown(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::kScalar:
      return in_backticks(node.text, kShownValueBytes);
    case ConfigNode::Kind::kList:
      return "a list";
    case ConfigNode::Kind::kMap:
      return "a map";
    case ConfigNode::Kind::kBroken:
    case ConfigNode::Kind::kNothing:
      break;
  }
  return "nothing";
}

std::string nearest(std::string_view text, const std::set<std::string>& candidates) {
  const std::size_t limit = std::min<std::size_t>(text.size() / 3, 2);
  std::string best;
  std::size_t best_distance = limit + 1;
  for (const auto& candidate : candidates) {
    if (std::max(text.size(), candidate.size()) - std::min(text.size(), candidate.size()) > limit) {
      continue;
    }
    const std::size_t distance = edit_distance(lower(text), lower(candidate));
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view name) {
  return name.empty() ? "" : "; did you mean " + in_backticks(name) + "?";
}

std::string suggestion(std::string_view text, const std::set<std::string>& candidates) {
  return did_you_mean(nearest(text, candidates));
}

}  // namespace lockstep
