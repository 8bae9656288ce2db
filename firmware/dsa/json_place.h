// Reads JSON strictly: each value knows its place, and each refusal names it:
// `ref.json: runs[2].delta: expected a number from 0 to 64, got "x"`.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lockstep {

// Throws InputError `file:line:column: …` when the text is not JSON, and when a key appears twice.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& file);

// Compact text of a JSON value; each double in the fewest digits that read back to it.
std::string json_text(const nlohmann::ordered_json& value);

// A value and where it stands. The value must outlive it. Every function throws InputError when
// the value is not what was asked for.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::ordered_json& value, const std::string& file)
      : JsonPlace(value, file, "") {}

  JsonPlace key(std::string_view name) const;
  std::optional<JsonPlace> find(std::string_view name) const;
  JsonPlace at(std::size_t index) const;  // of an array

  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  double number(double low, double high) const;
  const std::string& text() const;
  std::size_t array_size() const;
  void require_array_size(std::size_t size) const;
  void require_only_keys(std::initializer_list<std::string_view> known) const;
  bool is_null() const { return value_->is_null(); }

  [[noreturn]] void refuse(const std::string& expected) const;

 private:
  JsonPlace(const nlohmann::ordered_json& value, std::string file, std::string path)
      : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

  const nlohmann::ordered_json* value_;
  std::string file_;
  std::string path_;
};

}  // namespace lockstep
