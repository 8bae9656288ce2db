// The lines of a text, to turn yaml-cpp's marks into places and to look at what stands there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lockstep {

class SourceLines {
 public:
  explicit SourceLines(std::string_view text) {
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size() - 1);
      lines_.push_back(text.substr(0, end + 1));
      text.remove_prefix(end + 1);
    }
  }

  // From a byte to the end of its line; "" behind the text. Both arguments count from 0.
  std::string_view rest(int line, int byte) const {
    const auto row = static_cast<std::size_t>(line);
    if (row >= lines_.size()) return {};
    return lines_[row].substr(std::min(static_cast<std::size_t>(byte), lines_[row].size()));
  }

  // yaml-cpp counts bytes, from 0; an editor counts characters, from 1.
  int column(int line, int byte) const {
    const std::string_view all = rest(line, 0);
    const auto before = all.substr(0, all.size() - rest(line, byte).size());
    const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return static_cast<int>(std::count_if(before.begin(), before.end(), is_start)) + 1;
  }

  // The first character of an inline value or key is at `text`: whether it ends there too. A quoted
  // one needs its closing quote, a plain one must stand there as it was understood.
  static bool is_whole_scalar(std::string_view text, std::string_view value) {
    const char first = text.empty() ? '\0' : text.front();
    if (first != '"' && first != '\'') return text.substr(0, value.size()) == value;
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '\\' && first == '"') {
        ++i;
      } else if (text[i] == first) {
        if (first == '"' || text.substr(i + 1, 1) != "'") return true;
        ++i;  // '' is a quote within single quotes
      }
    }
    return false;
  }

 private:
  std::vector<std::string_view> lines_;
};

}  // namespace lockstep
