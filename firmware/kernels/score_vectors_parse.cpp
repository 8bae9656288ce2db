// The JSON of score vectors, strictly: a key nobody knows or given twice, a wrong type or a value
// out of range is refused.
#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "firmware/kernels/score_vectors.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

enum class Need : std::uint8_t { kRequired, kExpectedScore, kLabel };

struct Key {
  std::string_view name;
  Need need;
};

constexpr Key kKeys[] = {
    {"tokens", Need::kRequired},
    {"block_tokens", Need::kRequired},
    {"address_map", Need::kRequired},
    {"kv_bytes_per_token", Need::kRequired},
    {"reorder", Need::kRequired},
    {"window", Need::kRequired},
    {"block_table", Need::kRequired},
    {"bursts", Need::kExpectedScore},
    {"commands", Need::kExpectedScore},
    {"hits", Need::kExpectedScore},
    {"m1", Need::kExpectedScore},
    {"m2", Need::kExpectedScore},
    {"m3_gbps", Need::kExpectedScore},
    {"allocator", Need::kLabel},
    {"step", Need::kLabel},
    {"seq", Need::kLabel},
};

constexpr std::int64_t kMaxTokens = std::numeric_limits<std::int32_t>::max();

// What is wrong with one vector; the caller adds where.
struct Mistake {
  std::string sentence;
};

std::string shown(const Json& value) {
  if (value.is_structured()) return std::string("an ") + value.type_name();
  constexpr std::size_t kMaxShown = 60;
  const auto json = value.dump();
  return json.size() <= kMaxShown ? json : json.substr(0, kMaxShown) + "…";
}

std::int64_t integer(const Json& value, std::string_view name, std::int64_t low,
                     std::int64_t high) {
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() &&
                      value.get<std::uint64_t>() > static_cast<std::uint64_t>(high)) &&
                    value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high;
  if (fits) return value.get<std::int64_t>();
  throw Mistake{fmt::format("`{}` must be an integer from {} to {}, but is {}", name, low, high,
                            shown(value))};
}

double number(const Json& value, std::string_view name) {
  if (value.is_number()) return value.get<double>();
  throw Mistake{fmt::format("`{}` must be a number, but is {}", name, shown(value))};
}

std::string text(const Json& value, std::string_view name) {
  if (value.is_string()) return value.get<std::string>();
  throw Mistake{fmt::format("`{}` must be a text, but is {}", name, shown(value))};
}

void check_keys(const Json& object) {
  for (const auto& item : object.items()) {
    const auto known = std::any_of(std::begin(kKeys), std::end(kKeys),
                                   [&](const Key& key) { return key.name == item.key(); });
    if (!known) throw Mistake{fmt::format("unknown key `{}`", item.key())};
  }
  const bool has_expected = std::any_of(std::begin(kKeys), std::end(kKeys), [&](const Key& key) {
    return key.need == Need::kExpectedScore && object.contains(key.name);
  });
  for (const auto& key : kKeys) {
    if (key.need == Need::kLabel || object.contains(key.name)) continue;
    if (key.need == Need::kExpectedScore && !has_expected) continue;
    throw Mistake{fmt::format("key `{}` is missing", key.name)};
  }
}

Reorder reorder_of(const Json& object) {
  const auto name = text(object["reorder"], "reorder");
  const auto window = integer(object["window"], "window", 1, kMaxWindowBursts);
  std::string known;
  for (const auto& named : kReorderModes) {
    if (named.name == name) return {named.mode, static_cast<int>(window)};
    known += (known.empty() ? "" : ", ") + std::string(named.name);
  }
  throw Mistake{fmt::format("unknown reorder `{}`; known: {}", name, known)};
}

// The layout it would have, which checks map and shape.
KvLayout layout_of(const std::string& map_text, const KvShape& shape,
                   const StackGeometry& geometry) {
  auto map = AddressMap::parse(map_text, geometry);
  if (const auto* const wrong = std::get_if<std::string>(&map)) {
    throw Mistake{fmt::format("address map `{}`: {}", map_text, *wrong)};
  }
  try {
    return {std::get<AddressMap>(std::move(map)), geometry, shape};
  } catch (const InputError& error) {
    throw Mistake{error.what()};
  }
}

std::vector<BlockId> blocks_of(const Json& table, std::int64_t blocks_in_stack) {
  if (!table.is_array()) {
    throw Mistake{fmt::format("`block_table` must be an array, but is {}", shown(table))};
  }
  const auto last =
      std::min<std::int64_t>(blocks_in_stack - 1, std::numeric_limits<BlockId>::max());
  std::vector<BlockId> blocks;
  for (std::size_t i = 0; i < table.size(); ++i) {
    blocks.push_back(
        static_cast<BlockId>(integer(table[i], fmt::format("block_table[{}]", i), 0, last)));
  }
  return blocks;
}

ExpectedScore expected_of(const Json& object) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  ExpectedScore expected;
  expected.counts.bursts = integer(object["bursts"], "bursts", 0, kMax);
  expected.counts.commands = integer(object["commands"], "commands", 0, kMax);
  expected.counts.hits = integer(object["hits"], "hits", 0, kMax);
  expected.m1 = number(object["m1"], "m1");
  expected.m2 = number(object["m2"], "m2");
  expected.m3_gbps = number(object["m3_gbps"], "m3_gbps");
  return expected;
}

ScoreVector vector_of(const Json& object, const StackGeometry& geometry) {
  if (!object.is_object()) throw Mistake{"must be an object, but is " + shown(object)};
  check_keys(object);
  ScoreVector vector;
  vector.tokens = integer(object["tokens"], "tokens", 1, kMaxTokens);
  vector.shape.block_tokens = integer(object["block_tokens"], "block_tokens", 1, kMaxTokens);
  vector.shape.kv_bytes_per_token = integer(object["kv_bytes_per_token"], "kv_bytes_per_token", 1,
                                            std::numeric_limits<std::int32_t>::max());
  vector.address_map = text(object["address_map"], "address_map");
  vector.reorder = reorder_of(object);
  const auto layout = layout_of(vector.address_map, vector.shape, geometry);
  vector.blocks = blocks_of(object["block_table"], layout.blocks_in_stack());
  const auto needed = (vector.tokens - 1) / vector.shape.block_tokens + 1;
  if (static_cast<std::int64_t>(vector.blocks.size()) < needed) {
    throw Mistake{fmt::format("`block_table` has {} blocks, but {} tokens need {}",
                              vector.blocks.size(), vector.tokens, needed)};
  }
  if (object.contains("bursts")) vector.expected = expected_of(object);
  return vector;
}

// nlohmann-json keeps the last of two equal keys and says nothing.
struct DuplicateKeys {
  std::vector<std::set<std::string>> open_objects;
  std::string found;

  bool operator()(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == Json::parse_event_t::object_end) open_objects.pop_back();
    if (event == Json::parse_event_t::key &&
        !open_objects.back().insert(parsed.get<std::string>()).second && found.empty()) {
      found = parsed.get<std::string>();
    }
    return true;
  }
};

// Where the last of the first `byte` characters is; byte >= 1.
std::string line_and_column(std::string_view all, std::size_t byte) {
  const auto before = all.substr(0, std::min(byte, all.size() + 1) - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto start = before.rfind('\n');
  const auto column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return fmt::format("{}:{}", line, column);
}

Json parse_array(std::string_view all, std::string_view file) {
  DuplicateKeys duplicates;
  Json parsed;
  try {
    parsed = Json::parse(
        all, [&](int, Json::parse_event_t event, Json& value) { return duplicates(event, value); });
  } catch (const Json::parse_error& error) {
    throw InputError(fmt::format("{}:{}: this is no JSON", file,
                                 line_and_column(all, std::max<std::size_t>(error.byte, 1))));
  } catch (const Json::out_of_range&) {
    throw InputError(fmt::format("{}: a number is out of range", file));
  }
  if (!duplicates.found.empty()) {
    throw InputError(
        fmt::format("{}: key `{}` is given twice in one object", file, duplicates.found));
  }
  if (!parsed.is_array() || parsed.empty()) {
    throw InputError(fmt::format("{}: must be an array of at least one score vector", file));
  }
  return parsed;
}

}  // namespace

std::vector<ScoreVector> parse_score_vectors(std::string_view text, std::string_view file,
                                             const StackGeometry& geometry) {
  const auto array = parse_array(text, file);
  std::vector<ScoreVector> vectors;
  std::string mistakes;
  for (std::size_t i = 0; i < array.size(); ++i) {
    try {
      vectors.push_back(vector_of(array[i], geometry));
    } catch (const Mistake& mistake) {
      mistakes += fmt::format("{}{}: vector {}: {}", mistakes.empty() ? "" : "\n", file, i,
                              mistake.sentence);
    }
  }
  if (!mistakes.empty()) throw InputError(mistakes);
  return vectors;
}

}  // namespace lockstep
