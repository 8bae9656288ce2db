// How the formats of JSON lines are told apart, and how a line of each becomes requests.
#pragma once

#include "firmware/workload/trace_row.h"

namespace lockstep {

bool is_lockstep_jsonl(const Json& first);
void parse_lockstep_jsonl(JsonRow& row);

// Mooncake and vLLM name the same members; only the number of ids of a prompt tells which it is.
bool is_mooncake(const Json& first);
void parse_mooncake(JsonRow& row);
bool is_vllm_timed_trace(const Json& first);
void parse_vllm_timed_trace(JsonRow& row);

bool is_qwen_bailian(const Json& first);
void parse_qwen_bailian(JsonRow& row);

bool is_llmservingsim(const Json& first);
void parse_llmservingsim(JsonRow& row);

}  // namespace lockstep
