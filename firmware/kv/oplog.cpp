#include "firmware/kv/oplog.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "firmware/kv/oplog_names.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/input_file.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

struct Mistakes {
  std::string file;
  std::string text;

  void add(const std::string& where, const std::string& message) {
    text += (text.empty() ? "" : "\n") + file + where + ": " + message;
  }
};

// Anything that is no whole number in [least, 2^31 - 1] is a mistake, and reads as nullopt.
std::optional<std::int32_t> integer(const Json& value, std::int32_t least, const std::string& name,
                                    const std::string& where, Mistakes& mistakes) {
  if (value.is_number_integer() && (!value.is_number_unsigned() || value <= INT64_MAX)) {
    const auto number = value.get<std::int64_t>();
    if (least <= number && number <= std::numeric_limits<std::int32_t>::max()) {
      return static_cast<std::int32_t>(number);
    }
  }
  mistakes.add(where, "`" + name + "`: expected an integer of " + std::to_string(least) +
                          " to 2^31 - 1, got " + value.dump());
  return std::nullopt;
}

// What an operation may refer to, while the operations are read in order.
struct LiveSequence {
  std::int32_t table_blocks = 0;
  std::int32_t most_scratch = 0;
  std::optional<std::int32_t> scratch;  // taken and not yet given back
  std::size_t admitted_by = 0;
};

class LogReader {
 public:
  LogReader(std::string where, Mistakes& mistakes)
      : where_(std::move(where)), mistakes_(mistakes) {}

  Oplog read(const Json& json) {
    if (!json.is_object()) {
      mistakes_.add(where_, "expected an object, got " + json.dump());
      return {};
    }
    for (const auto& [key, value] : json.items()) {
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
        mistakes_.add(where_, "unknown key `" + key + "`");
      }
    }
    read_policy(json);
    read_size(json, "pool_blocks", log_.pool.pool_blocks);
    read_size(json, "blocks_per_region", log_.pool.blocks_per_region);
    if (!json.contains("ops") || !json["ops"].is_array()) {
      mistakes_.add(where_, "`ops`: expected an array of operations");
      return log_;
    }
    for (const auto& operation : json["ops"]) read_operation(operation);
    for (const auto& [id, live] : live_) close(live);
    return log_;
  }

 private:
  static constexpr std::array<std::string_view, 4> kKeys = {"policy", "pool_blocks",
                                                            "blocks_per_region", "ops"};

  void read_policy(const Json& json) {
    if (!json.contains("policy") || !json["policy"].is_string()) {
      mistakes_.add(where_, "`policy`: expected the name of a KV policy");
      return;
    }
    log_.policy = json["policy"].get<std::string>();
    try {
      log_.pool.scratch = scratch_of(log_.policy);
      kv_policy(policy_of(log_.policy));
    } catch (const InputError& error) {
      mistakes_.add(where_, error.what());
    }
  }

  void read_size(const Json& json, const char* key, std::int32_t& size) {
    if (!json.contains(key)) {
      mistakes_.add(where_, "missing key `" + std::string(key) + "`");
    } else if (const auto value = integer(json[key], 1, key, where_, mistakes_)) {
      size = *value;
    }
  }

  void read_operation(const Json& json) {
    const auto index = log_.operations.size();
    const auto where = where_ + ", op " + std::to_string(index);
    log_.operations.emplace_back();
    auto& operation = log_.operations.back();
    if (!json.is_array() || json.size() < 3 || json.size() > 4 || !json[0].is_string()) {
      mistakes_.add(where, "expected [kind, sequence, blocks] or [kind, sequence, blocks, ids]");
      return;
    }
    const auto kind = kind_of(json[0].get<std::string>());
    if (!kind) {
      mistakes_.add(where, "unknown operation " + json[0].dump() + "; known: " + known_kinds());
      return;
    }
    const auto sequence = integer(json[1], 0, "sequence", where, mistakes_);
    const auto blocks = integer(json[2], 1, "blocks", where, mistakes_);
    if (!sequence || !blocks) return;
    operation.kind = *kind;
    operation.sequence = *sequence;
    operation.blocks = *blocks;
    if (json.size() == 4) read_ids(json[3], where, operation);
    if (const auto wrong = follow(operation, index); !wrong.empty()) mistakes_.add(where, wrong);
  }

  void read_ids(const Json& json, const std::string& where, OplogOperation& operation) {
    if (json.is_null()) return;
    if (!json.is_array() || json.size() != static_cast<std::size_t>(operation.blocks)) {
      mistakes_.add(where, "`ids`: expected null or " + std::to_string(operation.blocks) +
                               " block ids, got " + json.dump());
      return;
    }
    for (const auto& id : json) {
      if (const auto value = integer(id, 0, "ids", where, mistakes_)) {
        operation.ids.push_back(*value);
      }
    }
  }

  // What is wrong with an operation at its place in the log; empty if nothing is.
  std::string follow(const OplogOperation& operation, std::size_t index) {
    const auto name = "sequence " + std::to_string(operation.sequence);
    const auto found = live_.find(operation.sequence);
    if (operation.kind == OplogKind::kAdmit) {
      if (found != live_.end()) return name + " is live already";
      live_[operation.sequence] = {operation.blocks, 0, std::nullopt, index};
      return "";
    }
    if (found == live_.end()) return name + " is not live";
    return change(operation, found);
  }

  std::string change(const OplogOperation& operation,
                     std::map<SequenceId, LiveSequence>::iterator found) {
    auto& live = found->second;
    const auto count = [&](std::int32_t blocks, const std::string& what) {
      return operation.blocks == blocks ? ""
                                        : what + " is of " + std::to_string(blocks) + " blocks";
    };
    switch (operation.kind) {
      case OplogKind::kAdmit:
        break;
      case OplogKind::kAppend:
        ++live.table_blocks;
        return count(1, "an append");
      case OplogKind::kScratch:
        if (live.scratch) return "the sequence's last scratch blocks were not given back";
        live.scratch = operation.blocks;
        live.most_scratch = std::max(live.most_scratch, operation.blocks);
        break;
      case OplogKind::kUnref: {
        if (!live.scratch) return "the sequence has no scratch blocks";
        const auto taken = *live.scratch;
        live.scratch.reset();
        return count(taken, "the sequence's scratch");
      }
      case OplogKind::kRelease: {
        if (live.scratch) return "the sequence's scratch blocks were not given back";
        const auto held = live.table_blocks;
        close(live);
        live_.erase(found);
        return count(held, "the sequence's table");
      }
    }
    return "";
  }

  void close(const LiveSequence& live) {
    log_.operations[live.admitted_by].final_blocks = live.table_blocks + live.most_scratch;
  }

  std::string where_;
  Mistakes& mistakes_;
  Oplog log_;
  std::map<SequenceId, LiveSequence> live_;
};

std::string line_and_column(const std::string& text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  const auto line = 1 + std::count(text.begin(), end, '\n');
  const auto start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return ":" + std::to_string(line) + ":" + std::to_string(1 + (end - start));
}

Json parse_json(const std::string& text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto at = error.byte > 0 ? error.byte - 1 : 0;  // nlohmann counts from 1
    throw InputError(file + line_and_column(text, at) + ": this is no JSON");
  }
}

}  // namespace

std::vector<Oplog> parse_oplogs(const std::string& text, const std::string& file) {
  const auto json = parse_json(text, file);
  if (!json.is_array()) throw InputError(file + ": expected an array of logs");
  if (json.empty()) throw InputError(file + ": has no logs");
  Mistakes mistakes{file, ""};
  std::vector<Oplog> logs;
  for (const auto& log : json) {
    LogReader reader(": log " + std::to_string(logs.size()), mistakes);
    logs.push_back(reader.read(log));
  }
  if (!mistakes.text.empty()) throw InputError(mistakes.text);
  return logs;
}

std::vector<Oplog> read_oplogs(const std::string& file) {
  return parse_oplogs(read_input_file(file), file);
}

}  // namespace lockstep
