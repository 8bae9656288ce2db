#include "configs/dump.h"

#include <algorithm>
#include <iterator>

namespace lockstep {
namespace {

using Kind = ConfigNode::Kind;

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Whether the text means itself without quotes. Fewer texts than YAML allows: easy to be sure of.
bool is_plain(std::string_view text) {
  constexpr std::string_view kNulls[] = {"null", "Null", "NULL"};
  if (std::find(std::begin(kNulls), std::end(kNulls), text) != std::end(kNulls)) return false;
  if (text.empty() || text.back() == ' ') return false;
  const bool is_negative = text.size() > 1 && text[0] == '-' && is_alphanumeric(text[1]);
  if (!is_alphanumeric(text[0]) && text[0] != '_' && text[0] != '/' && !is_negative) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || std::string_view(" _./+-*()[]").find(c) != std::string_view::npos;
  });
}

std::string scalar_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7F) {
      result += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// What follows `key:` or `-` on the same line; "" for a list or map that has lines of its own.
std::string inline_text(const ConfigNode& node) {
  if (node.is(Kind::kScalar)) return scalar_text(node.text);
  if (node.is(Kind::kList)) return node.items.empty() ? "[]" : "";
  if (node.is(Kind::kMap)) return node.entries.empty() ? "{}" : "";
  return "null";
}

std::string block(const ConfigNode& node, std::size_t indent) {
  const std::string inlined = inline_text(node);
  const std::string margin(indent, ' ');
  if (!inlined.empty()) return margin + inlined + "\n";
  std::string result;
  for (const auto& item : node.items) {
    std::string lines = block(item, indent + 2);
    lines[indent] = '-';  // in the margin of its first line
    result += lines;
  }
  for (const auto& entry : node.entries) {
    const std::string value = inline_text(entry.value);
    result += margin + scalar_text(entry.key) + ":";
    result += value.empty() ? "\n" + block(entry.value, indent + 2) : " " + value + "\n";
  }
  return result;
}

void sort_keys(ConfigNode& node) {
  std::stable_sort(node.entries.begin(), node.entries.end(),
                   [](const ConfigEntry& a, const ConfigEntry& b) { return a.key < b.key; });
  for (auto& entry : node.entries) sort_keys(entry.value);
  for (auto& item : node.items) sort_keys(item);
}

}  // namespace

std::string dump(const ConfigNode& node) {
  return block(node, 0);
}

std::string config_hash(const ConfigNode& node) {
  ConfigNode sorted = node;
  sort_keys(sorted);
  std::uint64_t hash = fnv1a_64(dump(sorted));
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4) {
    *digit = "0123456789abcdef"[hash & 15];
  }
  return digits;
}

}  // namespace lockstep
