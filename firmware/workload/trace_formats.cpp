#include "firmware/workload/csv_formats.h"
#include "firmware/workload/json_formats.h"
#include "firmware/workload/trace_format.h"

namespace lockstep {
namespace {

constexpr auto kNs = ArrivalClock::kNanoseconds;

constexpr TraceFormat csv(std::string_view name, std::string_view what, ArrivalClock clock,
                          std::string_view header, void (*parse)(CsvRow&)) {
  return {name, what, clock, header, parse, nullptr, nullptr};
}

constexpr TraceFormat json(std::string_view name, std::string_view what, ArrivalClock clock,
                           bool (*recognises)(const Json&), void (*parse)(JsonRow&)) {
  return {name, what, clock, "", nullptr, recognises, parse};
}

constexpr TraceFormat kTraceFormats[] = {
    csv("lockstep-csv", "requests by engine step", ArrivalClock::kSteps,
        "request_id,arrival_step,prompt_tokens,output_tokens,prefix_id,prefix_tokens",
        parse_lockstep_csv),
    json("lockstep-jsonl", "time (ns), in, out, and optionally hash_ids with hash_block", kNs,
         is_lockstep_jsonl, parse_lockstep_jsonl),
    csv("azure-llm-2023", "Azure LLM inference trace", kNs,
        "TIMESTAMP,ContextTokens,GeneratedTokens", parse_azure),
    json("mooncake", "Mooncake: ms, ids of 512 tokens", kNs, is_mooncake, parse_mooncake),
    json("vllm-timed-trace", "vLLM timed_trace: ms, ids of 16 tokens", kNs, is_vllm_timed_trace,
         parse_vllm_timed_trace),
    json("qwen-bailian", "Qwen-Bailian: s, ids of 16 tokens", kNs, is_qwen_bailian,
         parse_qwen_bailian),
    csv("burstgpt", "BurstGPT", kNs,
        "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type", parse_burstgpt),
    json("llmservingsim", "LLMServingSim, requests and agentic sessions", kNs, is_llmservingsim,
         parse_llmservingsim),
    csv("vidur", "Vidur and splitwise", kNs, "arrived_at,num_prefill_tokens,num_decode_tokens",
        parse_vidur),
    csv("vidur-lengths", "Vidur's arXiv and chat lengths, without arrivals", ArrivalClock::kNone,
        "num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio", parse_vidur_lengths),
    csv("onnxim", "ONNXim: cycles of its 1 GHz core", kNs,
        "time,prompt_length,target_length,cached_length", parse_onnxim),
};

}  // namespace

Span<TraceFormat> trace_formats() {
  return kTraceFormats;
}

}  // namespace lockstep
