#include "configs/source_text.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "configs/message.h"

namespace lockstep {
namespace {

struct Magic {
  std::string_view bytes;
  const char* what;
};

constexpr Magic kMagics[] = {
    {"\x1F\x8B", "a gzip file"},
    {"PK\x03\x04", "a zip file"},
    {"\x28\xB5\x2F\xFD", "a zstd file"},
    {"\x7F"
     "ELF",
     "a program"},
    {"version https://git-lfs", "a Git LFS pointer, whose file was not fetched"},
};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// RFC 3629, section 4: the lead byte gives the length and the range of the second byte.
struct Utf8Lead {
  unsigned char first;
  unsigned char last;
  std::size_t length;
  unsigned char second_min;
  unsigned char second_max;
};

constexpr Utf8Lead kUtf8Leads[] = {
    {0x00, 0x7F, 1, 0, 0},       {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

// Bytes of the character at the front of `text`; 0 if it is not UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (const auto& lead : kUtf8Leads) {
    if (byte(0) < lead.first || byte(0) > lead.last) continue;
    if (text.size() < lead.length) return 0;
    if (lead.length > 1 && (byte(1) < lead.second_min || byte(1) > lead.second_max)) return 0;
    for (std::size_t i = 2; i < lead.length; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    return lead.length;
  }
  return 0;
}

// What is wrong with the character at the front of `rest`; nullptr if nothing is.
const char* fault_of(std::string_view rest, bool in_indentation) {
  const char c = rest.front();
  if (utf8_length(rest) == 0) return "expected UTF-8 text, got another byte: is the file binary?";
  if (c == '\0') return "expected text, got a NUL byte: is the file binary?";
  if (c == '\t' && in_indentation) return "expected blanks in the indentation, got a tab";
  const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  if (is_control && c != '\t' && c != '\n' && rest.substr(0, 2) != "\r\n") {
    return "expected text, got a control character";
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> read_bytes(const std::string& file, const Place& asked_at,
                                      ConfigIssues& issues) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    issues.push_back(
        {asked_at, "expected a YAML file, got the directory " + file_in_backticks(file)});
    return std::nullopt;
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(kMaxConfigBytes + 1, '\0');
  if (stream) stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream && !stream.eof()) {
    const std::string why = std::generic_category().message(errno == 0 ? EIO : errno);
    issues.push_back(
        {asked_at, "expected a YAML file, cannot read " + file_in_backticks(file) + ": " + why});
    return std::nullopt;
  }
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

bool is_text(const std::string& text, const std::string& file, ConfigIssues& issues) {
  Place place{file, 1, 1};
  for (const auto& magic : kMagics) {
    if (!starts_with(text, magic.bytes)) continue;
    issues.push_back({place, std::string("expected a YAML file, got ") + magic.what});
    return false;
  }
  if (text.size() > kMaxConfigBytes) {
    issues.push_back({place, "expected a YAML file of at most 1 MiB, got a larger one"});
    return false;
  }
  bool in_indentation = true;
  std::size_t line_start = 0;
  const std::string_view all = text;
  for (std::size_t i = 0; i < all.size(); i += utf8_length(all.substr(i))) {
    const bool is_long = i - line_start >= kMaxLineBytes;
    const char* const fault = is_long ? "expected a line of at most 4 KiB, got a longer one"
                                      : fault_of(all.substr(i), in_indentation);
    if (fault != nullptr) {
      issues.push_back({place, fault});
      return false;
    }
    in_indentation = all[i] == '\n' || (in_indentation && all[i] == ' ');
    place.column = all[i] == '\n' ? 1 : place.column + 1;
    place.line += all[i] == '\n' ? 1 : 0;
    if (all[i] == '\n') line_start = i + 1;
  }
  return true;
}

}  // namespace lockstep
