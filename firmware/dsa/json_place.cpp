#include "firmware/dsa/json_place.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/core.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::string line_and_column(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, std::min(text.size(), byte == 0 ? 0 : byte - 1));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const auto last = before.rfind('\n');
  const auto column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
  return fmt::format("{}:{}", lines + 1, column);
}

std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 40;
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
  std::vector<std::set<std::string>> keys;
  const auto refuse_duplicates = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys.back().insert(key).second) {
        throw InputError(fmt::format("{}: key `{}` appears twice in one object", file, key));
      }
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_duplicates);
  } catch (const Json::parse_error& error) {
    throw InputError(fmt::format("{}:{}: not JSON", file, line_and_column(text, error.byte)));
  } catch (const Json::out_of_range&) {
    throw InputError(fmt::format("{}: a number is too large for a double", file));
  }
}

std::string json_text(const Json& value) {
  if (value.is_number_float()) {
    const std::string digits = fmt::format("{}", value.get<double>());
    return digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0" : digits;
  }
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, member] : value.items()) {
    if (!text.empty()) text += ',';
    if (value.is_object()) text += Json(key).dump() + ':';
    text += json_text(member);
  }
  return value.is_object() ? '{' + text + '}' : '[' + text + ']';
}

JsonPlace JsonPlace::key(std::string_view name) const {
  if (auto found = find(name)) return *found;
  throw InputError(
      fmt::format("{}: missing key `{}{}{}`", file_, path_, path_.empty() ? "" : ".", name));
}

std::optional<JsonPlace> JsonPlace::find(std::string_view name) const {
  if (!value_->is_object()) refuse("an object");
  const auto found = value_->find(name);
  if (found == value_->end()) return std::nullopt;
  return JsonPlace(*found, file_, path_ + (path_.empty() ? "" : ".") + std::string(name));
}

JsonPlace JsonPlace::at(std::size_t index) const {
  return {(*value_)[index], file_, fmt::format("{}[{}]", path_, index)};
}

std::int64_t JsonPlace::integer(std::int64_t low, std::int64_t high) const {
  if (value_->is_number_integer()) {
    const auto value = value_->get<std::int64_t>();
    const bool wrapped = value_->is_number_unsigned() && value < 0;
    if (!wrapped && value >= low && value <= high) return value;
  }
  refuse(fmt::format("an integer from {} to {}", low, high));
}

double JsonPlace::number(double low, double high) const {
  if (value_->is_number()) {
    const auto value = value_->get<double>();
    if (value >= low && value <= high) return value;
  }
  refuse(fmt::format("a number from {} to {}", low, high));
}

const std::string& JsonPlace::text() const {
  if (!value_->is_string()) refuse("a text");
  return value_->get_ref<const std::string&>();
}

std::size_t JsonPlace::array_size() const {
  if (!value_->is_array()) refuse("an array");
  return value_->size();
}

void JsonPlace::require_array_size(std::size_t size) const {
  if (array_size() == size) return;
  throw InputError(
      fmt::format("{}: {}: expected {} entries, got {}", file_, path_, size, value_->size()));
}

void JsonPlace::require_only_keys(std::initializer_list<std::string_view> known) const {
  if (!value_->is_object()) refuse("an object");
  for (const auto& [name, ignored] : value_->items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError(
        fmt::format("{}: unknown key `{}{}{}`", file_, path_, path_.empty() ? "" : ".", name));
  }
}

void JsonPlace::refuse(const std::string& expected) const {
  throw InputError(fmt::format("{}: {}{}expected {}, got {}", file_, path_,
                               path_.empty() ? "" : ": ", expected, shown(*value_)));
}

}  // namespace lockstep
