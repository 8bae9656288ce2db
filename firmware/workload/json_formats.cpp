#include "firmware/workload/json_formats.h"

#include <algorithm>
#include <initializer_list>

namespace lockstep {
namespace {

constexpr std::int32_t kMooncakeBlock = 512;
constexpr std::int32_t kVllmBlock = 16;

bool has_all(const Json& object, std::initializer_list<const char*> names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const char* name) { return object.contains(name); });
}

// Whether the ids of `first` can be one for each `block` tokens of its input.
bool ids_fit(const Json& first, std::int32_t block) {
  const Json& length = first["input_length"];
  const Json& ids = first["hash_ids"];
  if (!length.is_number_unsigned() || !ids.is_array()) return false;
  const auto tokens = length.get<std::uint64_t>();
  const auto size = static_cast<std::uint64_t>(block);
  const std::uint64_t blocks = tokens / size + (tokens % size != 0 ? 1 : 0);
  return ids.size() == blocks;
}

bool is_timed_trace(const Json& first) {
  return has_all(first, {"timestamp", "input_length", "output_length", "hash_ids"}) &&
         !first.contains("chat_id");
}

void parse_lengths_and_ids(JsonRow& row, TimeUnit unit, std::int32_t block) {
  TimedRequest timed;
  timed.arrival = row.time("timestamp", unit);
  timed.request.prompt_tokens = row.tokens("input_length");
  timed.request.output_tokens = row.tokens("output_length");
  if (row.out().faults.empty()) set_hash_ids(row, "hash_ids", block, timed.request);
  row.out().requests.push_back(std::move(timed));
}

TimedRequest parse_call(JsonRow& row, std::int64_t arrival) {
  TimedRequest timed;
  timed.arrival = arrival;
  timed.request.prompt_tokens = row.tokens("input_toks");
  timed.request.output_tokens = row.tokens("output_toks");
  return timed;
}

}  // namespace

bool is_lockstep_jsonl(const Json& first) {
  return has_all(first, {"time", "in", "out"});
}

// Strict, because it is ours: an unknown key may be a misspelt one.
void parse_lockstep_jsonl(JsonRow& row) {
  constexpr std::string_view kKeys[] = {"time", "in", "out", "hash_ids", "hash_block"};
  row.allow_only(kKeys);
  TimedRequest timed;
  timed.arrival = row.integer("time", {0, std::int64_t{1} << 62});
  timed.request.prompt_tokens = row.tokens("in");
  timed.request.output_tokens = row.tokens("out");
  if (row.has("hash_ids") || row.has("hash_block")) {
    const auto block = static_cast<std::int32_t>(row.integer("hash_block", {1, kMaxTokens}));
    row.array("hash_ids");
    if (row.out().faults.empty()) set_hash_ids(row, "hash_ids", block, timed.request);
  }
  row.out().requests.push_back(std::move(timed));
}

bool is_mooncake(const Json& first) {
  return is_timed_trace(first) && ids_fit(first, kMooncakeBlock);
}

void parse_mooncake(JsonRow& row) {
  parse_lengths_and_ids(row, TimeUnit::kMilliseconds, kMooncakeBlock);
}

bool is_vllm_timed_trace(const Json& first) {
  return is_timed_trace(first) && ids_fit(first, kVllmBlock);
}

void parse_vllm_timed_trace(JsonRow& row) {
  parse_lengths_and_ids(row, TimeUnit::kMilliseconds, kVllmBlock);
}

bool is_qwen_bailian(const Json& first) {
  return has_all(first, {"chat_id", "parent_chat_id", "timestamp", "input_length"});
}

void parse_qwen_bailian(JsonRow& row) {
  constexpr std::int64_t kNoParent = -1;
  row.integer("chat_id", {0, INT64_MAX});
  row.integer("parent_chat_id", {kNoParent, INT64_MAX});
  parse_lengths_and_ids(row, TimeUnit::kSeconds, kVllmBlock);
}

bool is_llmservingsim(const Json& first) {
  return has_all(first, {"input_toks", "output_toks", "arrival_time_ns"}) ||
         has_all(first, {"arrival_time_ns", "sub_requests"});
}

// A session's calls follow one another: each starts when the one before is answered and its tool
// has run. Only a simulation knows the first, so a call arrives after the tools alone: the earliest
// possible time, reported as `chained`.
void parse_llmservingsim(JsonRow& row) {
  std::int64_t arrival = row.integer("arrival_time_ns", {0, std::int64_t{1} << 61});
  if (!row.has("sub_requests")) {
    row.out().requests.push_back(parse_call(row, arrival));
    return;
  }
  const Json* calls = row.array("sub_requests");
  if (calls == nullptr) return;
  if (calls->empty()) row.fault("sub_requests", "expected one call or more, got none");
  for (const Json& call : *calls) {
    if (!call.is_object()) {
      row.fault("sub_requests", "expected a list of objects");
      return;
    }
    JsonRow inner(call, row.line(), row.out());
    row.out().requests.push_back(parse_call(inner, arrival));
    row.out().chained += row.out().requests.size() > 1 ? 1 : 0;
    if (!inner.has("tool_duration_ns")) continue;
    constexpr std::int64_t kLongestTool = 3'600'000'000'000;  // one hour
    arrival += inner.integer("tool_duration_ns", {0, kLongestTool});
  }
}

}  // namespace lockstep
