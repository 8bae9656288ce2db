#include "firmware/workload/csv_formats.h"

namespace lockstep {
namespace {

void add(CsvRow& row, std::int64_t arrival, std::int32_t prompt, std::int32_t output) {
  TimedRequest timed;
  timed.arrival = arrival;
  timed.request.prompt_tokens = prompt;
  timed.request.output_tokens = output;
  row.out().requests.push_back(std::move(timed));
}

}  // namespace

void parse_lockstep_csv(CsvRow& row) {
  constexpr std::int64_t kNoPrefix = -1;
  TimedRequest timed;
  Request& request = timed.request;
  request.id = static_cast<std::int32_t>(row.integer("request_id", {0, INT32_MAX}));
  timed.arrival = row.integer("arrival_step", {0, std::int64_t{1} << 62});
  request.prompt_tokens = row.tokens("prompt_tokens");
  request.output_tokens = row.tokens("output_tokens");
  request.prefix_id = static_cast<std::int32_t>(row.integer("prefix_id", {kNoPrefix, INT32_MAX}));
  const std::int64_t most = request.prefix_id == kNoPrefix ? 0 : request.prompt_tokens;
  request.prefix_tokens = static_cast<std::int32_t>(row.integer("prefix_tokens", {0, most}));
  row.out().requests.push_back(std::move(timed));
}

void parse_azure(CsvRow& row) {
  const auto arrival = row.date("TIMESTAMP");
  const auto prompt = row.tokens("ContextTokens");
  add(row, arrival, prompt, row.tokens("GeneratedTokens"));
}

// A request that failed has no response tokens; it used no KV worth modelling.
void parse_burstgpt(CsvRow& row) {
  const auto arrival = row.time("Timestamp", TimeUnit::kSeconds);
  const auto prompt = row.tokens("Request tokens");
  const auto output = row.tokens("Response tokens");
  if (output == 0) {
    ++row.out().failed_requests;
  } else {
    add(row, arrival, prompt, output);
  }
}

void parse_vidur(CsvRow& row) {
  const auto arrival = row.time("arrived_at", TimeUnit::kSeconds);
  const auto prompt = row.tokens("num_prefill_tokens");
  add(row, arrival, prompt, row.tokens("num_decode_tokens"));
}

void parse_vidur_lengths(CsvRow& row) {
  const auto prompt = row.tokens("num_prefill_tokens");
  add(row, 0, prompt, row.tokens("num_decode_tokens"));
}

// cached_length tokens are already in the KV cache when the request comes; for placement they are
// part of its prompt. target_length counts generated tokens only.
void parse_onnxim(CsvRow& row) {
  const auto arrival = row.time("time", TimeUnit::kNanoseconds);
  const auto fresh = row.tokens("prompt_length");
  const auto cached = row.integer("cached_length", {0, kMaxTokens - fresh});
  add(row, arrival, static_cast<std::int32_t>(fresh + cached), row.tokens("target_length"));
}

}  // namespace lockstep
