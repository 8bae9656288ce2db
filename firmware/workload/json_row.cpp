#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "firmware/workload/trace_row.h"

namespace lockstep {
namespace {

std::string text_of(const Json& value) {
  return excerpt(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

bool in_range(const Json& value, IntegerRange range) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return false;
  const auto number = value.get<std::int64_t>();
  return number >= range.low && number <= range.high;
}

// Whether two members of one object have the same name: the parser would keep the last in silence.
class DuplicateNames {
 public:
  bool operator()(int /*depth*/, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& name = parsed.get_ref<const std::string&>();
      if (!open_.back().insert(name).second && first_.empty()) first_ = name;
    }
    return true;
  }

  const std::string& first() const { return first_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string first_;
};

}  // namespace

Json parse_json_line(const std::string& line, ParsedRow& out) {
  DuplicateNames duplicates;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    return duplicates(depth, event, parsed);
  };
  Json value;
  try {
    value = Json::parse(line, watch);
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(std::max<std::size_t>(error.byte, 1), line.size());
    out.faults.push_back({at, "expected one JSON object, which ends or is malformed here"});
    return nullptr;
  } catch (const Json::exception&) {
    out.faults.push_back({1, "expected one JSON object whose numbers fit in 64 bits"});
    return nullptr;
  }
  if (!value.is_object()) {
    out.faults.push_back({1, "expected one JSON object, got `" + text_of(value) + "`"});
    return nullptr;
  }
  if (!duplicates.first().empty()) {
    out.faults.push_back({1, "`" + excerpt(duplicates.first()) + "` appears twice in an object"});
    return nullptr;
  }
  return value;
}

void JsonRow::fault(std::string_view name, const std::string& message) {
  const auto at = line_.find(fmt::format("\"{}\"", name));
  out_.faults.push_back(
      {at == std::string_view::npos ? 1 : at + 1, fmt::format("`{}`: {}", excerpt(name), message)});
}

void JsonRow::mismatch(const char* name, const std::string& expected, const Json& got) {
  fault(name, fmt::format("expected {}, got `{}`", expected, text_of(got)));
}

const Json* JsonRow::member(const char* name, const std::string& expected) {
  const auto at = object_.find(name);
  if (at != object_.end()) return &*at;
  out_.faults.push_back({1, fmt::format("missing `{}` ({})", name, expected)});
  return nullptr;
}

std::int64_t JsonRow::integer(const char* name, IntegerRange range) {
  const auto expected = fmt::format("a whole number from {} to {}", range.low, range.high);
  const Json* value = member(name, expected);
  if (value == nullptr) return range.low;
  if (in_range(*value, range)) return value->get<std::int64_t>();
  mismatch(name, expected, *value);
  return range.low;
}

std::int32_t JsonRow::tokens(const char* name) {
  return static_cast<std::int32_t>(integer(name, {0, kMaxTokens}));
}

std::int64_t JsonRow::time(const char* name, TimeUnit unit) {
  const std::string expected = "a time of 0 or more and below 146 years";
  const Json* value = member(name, expected);
  if (value == nullptr) return 0;
  // dump() writes the shortest text that reads back as the same double: the decimal in the file,
  // which then converts exactly.
  const auto time = value->is_number() ? nanoseconds_of(value->dump(), unit) : std::nullopt;
  if (time) return *time;
  mismatch(name, expected, *value);
  return 0;
}

std::vector<std::uint64_t> JsonRow::hash_ids(const char* name) {
  std::vector<std::uint64_t> ids;
  if (!has(name)) return ids;
  const Json* list = array(name);
  if (list == nullptr) return ids;
  ids.reserve(list->size());
  for (const Json& id : *list) {
    if (!id.is_number_unsigned()) {
      mismatch(name, "a list of whole numbers of 0 or more", id);
      return {};
    }
    ids.push_back(id.get<std::uint64_t>());
  }
  return ids;
}

const Json* JsonRow::array(const char* name) {
  const Json* value = member(name, "a list");
  if (value == nullptr || value->is_array()) return value;
  mismatch(name, "a list", *value);
  return nullptr;
}

void JsonRow::allow_only(Span<std::string_view> names) {
  for (const auto& [name, value] : object_.items()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fault(name, fmt::format("unknown key; known: {}", fmt::join(names, ", ")));
    }
  }
}

void set_hash_ids(JsonRow& row, const char* name, std::int32_t block_tokens, Request& request) {
  auto ids = row.hash_ids(name);
  if (ids.empty()) return;
  const auto count = static_cast<std::int64_t>(ids.size());
  const std::int64_t whole = request.prompt_tokens / block_tokens;
  const std::int64_t all = whole + (request.prompt_tokens % block_tokens != 0 ? 1 : 0);
  if (count != whole && count != all) {
    row.fault(name, fmt::format("expected {} ids, one for each {} of {} prompt tokens, got {}", all,
                                block_tokens, request.prompt_tokens, count));
    return;
  }
  auto sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
  if (repeated != sorted.end()) {
    row.fault(name, fmt::format("expected each id once in a request, got {} twice", *repeated));
    return;
  }
  request.hash_ids = std::move(ids);
  request.hash_block_tokens = block_tokens;
}

}  // namespace lockstep
