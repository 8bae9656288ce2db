// The tables of the study of sparse attention. To add a cell: its row.
#include "sim/study/dsa_study.h"

namespace lockstep {
namespace {

// clang-format off
constexpr DsaCell kAblation[] = {
    {"quest, pool",      "dsa.scores.process=pool"},
    {"quest, neutral",   "dsa.scores.process=neutral"},
    {"quest, drift",     "dsa.scores.process=drift"},
    {"infllm2, pool",    "dsa.scores.process=pool ; kv.block_tokens=64 ; dsa.selector.scorer=infllm2 ; dsa.selector.budget=6144 ; dsa.selector.init_blocks=1 ; dsa.selector.local_blocks=33"},
    {"quest, pool, xpu", "dsa.scores.process=pool ; dsa.selection=xpu ; dsa.summaries=xpu"},
    {"quest, drift, xpu", "dsa.scores.process=drift ; dsa.selection=xpu ; dsa.summaries=xpu"},
};

// arXiv 2606.30389v1, Table 8, GLM-4-9B on an H100, means of five benchmarks.
constexpr PublishedSpeedup kPublished[] = {
    {"quest, pool",   "S1", 1.00}, {"quest, pool",   "S2", 1.20}, {"quest, pool",   "S3", 1.41},
    {"infllm2, pool", "S1", 1.01}, {"infllm2, pool", "S2", 1.30}, {"infllm2, pool", "S3", 1.56},
};

constexpr DsaCell kDelta[] = {
    {"pool, 0.5",  "dsa.scores.process=pool ; dsa.prediction.delta=0.5"},
    {"pool, 1",    "dsa.scores.process=pool ; dsa.prediction.delta=1"},
    {"pool, 1.25", "dsa.scores.process=pool ; dsa.prediction.delta=1.25"},
    {"pool, 1.5",  "dsa.scores.process=pool ; dsa.prediction.delta=1.5"},
    {"pool, 2",    "dsa.scores.process=pool ; dsa.prediction.delta=2"},
    {"pool, 3",    "dsa.scores.process=pool ; dsa.prediction.delta=3"},
    {"drift, 0.5",  "dsa.prediction.delta=0.5"},
    {"drift, 1",    "dsa.prediction.delta=1"},
    {"drift, 1.25", "dsa.prediction.delta=1.25"},
    {"drift, 1.5",  "dsa.prediction.delta=1.5"},
    {"drift, 2",    "dsa.prediction.delta=2"},
    {"drift, 3",    "dsa.prediction.delta=3"},
    {"drift, largest safe",    "dsa.prediction.delta_rule=largest_safe"},
    {"drift, latency optimal", "dsa.prediction.delta_rule=latency_optimal"},
};

constexpr DsaCell kContext[] = {
    {"4K",   "dsa.context=4096"},   {"8K",   "dsa.context=8192"},
    {"16K",  "dsa.context=16384"},  {"32K",  "dsa.context=32768"},
    {"64K",  "dsa.context=65536"},  {"128K", "dsa.context=131072"},
};

constexpr DsaCell kBlock[] = {
    {"16", "kv.block_tokens=16"}, {"32", "kv.block_tokens=32"},
    {"64", "kv.block_tokens=64"}, {"128", "kv.block_tokens=128"},
};

constexpr DsaCell kBudget[] = {
    {"1K", "dsa.selector.budget=1024"}, {"2K", "dsa.selector.budget=2048"},
    {"3K", "dsa.selector.budget=3072"}, {"4K", "dsa.selector.budget=4096"},
};

constexpr DsaCell kSelection[] = {
    {"pim, same",                 ""},
    {"pim, other stack",          "dsa.summaries=other"},
    {"pim, reserved channels",    "dsa.summaries=reserved ; dsa.reserved_channels=16"},
    {"xpu, same, host first",     "dsa.selection=xpu ; controller.arbitration=host_first"},
    {"xpu, same, PIM first",      "dsa.selection=xpu ; controller.arbitration=pim_first"},
    {"xpu, same, time slices",    "dsa.selection=xpu ; controller.arbitration=time_slice"},
    {"xpu, same, two row buffers", "dsa.selection=xpu ; controller.arbitration=host_first ; pim.row_overlap=dual_row_buffer"},
    {"xpu, other stack",          "dsa.selection=xpu ; dsa.summaries=other"},
    {"xpu, reserved channels",    "dsa.selection=xpu ; dsa.summaries=reserved ; dsa.reserved_channels=16"},
    {"xpu, own memory",           "dsa.selection=xpu ; dsa.summaries=xpu"},
};

constexpr DsaCell kBatch[] = {
    {"none, 1",           "dsa.overlap=none ; dsa.batch=1"},
    {"none, 2",           "dsa.overlap=none ; dsa.batch=2"},
    {"none, 4",           "dsa.overlap=none ; dsa.batch=4"},
    {"none, 8",           "dsa.overlap=none ; dsa.batch=8"},
    {"none, 16",          "dsa.overlap=none ; dsa.batch=16"},
    {"speculative, 1",    "dsa.overlap=speculative ; dsa.batch=1"},
    {"speculative, 2",    "dsa.overlap=speculative ; dsa.batch=2"},
    {"speculative, 4",    "dsa.overlap=speculative ; dsa.batch=4"},
    {"speculative, 8",    "dsa.overlap=speculative ; dsa.batch=8"},
    {"speculative, 16",   "dsa.overlap=speculative ; dsa.batch=16"},
    {"inter_request, 1",  "dsa.overlap=inter_request ; dsa.batch=1"},
    {"inter_request, 2",  "dsa.overlap=inter_request ; dsa.batch=2"},
    {"inter_request, 4",  "dsa.overlap=inter_request ; dsa.batch=4"},
    {"inter_request, 8",  "dsa.overlap=inter_request ; dsa.batch=8"},
    {"inter_request, 16", "dsa.overlap=inter_request ; dsa.batch=16"},
    {"hybrid, 1",         "dsa.overlap=hybrid ; dsa.batch=1"},
    {"hybrid, 2",         "dsa.overlap=hybrid ; dsa.batch=2"},
    {"hybrid, 4",         "dsa.overlap=hybrid ; dsa.batch=4"},
    {"hybrid, 8",         "dsa.overlap=hybrid ; dsa.batch=8"},
    {"hybrid, 16",        "dsa.overlap=hybrid ; dsa.batch=16"},
};

constexpr DsaCell kRows[] = {
    {"shuffled, plain",       "dsa.placement=shuffled"},
    {"sequential, plain",     ""},
    {"sequential, row aware", "dsa.lists=row_aware"},
    {"sequential, regions",   "dsa.lists=regions"},
    {"packed, plain",         "dsa.placement=packed"},
    {"packed, row aware",     "dsa.placement=packed ; dsa.lists=row_aware"},
    {"packed, pool",          "dsa.placement=packed ; dsa.scores.process=pool"},
    {"packed, neutral",       "dsa.placement=packed ; dsa.scores.process=neutral"},
    {"packed, slack 0.1",     "dsa.placement=packed ; dsa.row_slack=0.1"},
    {"packed, slack 0.2",     "dsa.placement=packed ; dsa.row_slack=0.2"},
    {"packed, slack 0.3",     "dsa.placement=packed ; dsa.row_slack=0.3"},
    {"packed, slack 0.4",     "dsa.placement=packed ; dsa.row_slack=0.4"},
    {"packed, neutral, slack 0.2", "dsa.placement=packed ; dsa.scores.process=neutral ; dsa.row_slack=0.2"},
    {"packed, neutral, slack 0.3", "dsa.placement=packed ; dsa.scores.process=neutral ; dsa.row_slack=0.3"},
};

constexpr DsaCell kRepair[] = {
    {"union",          "dsa.prediction.repair=union"},
    {"exact-partials", "dsa.prediction.repair=exact-partials"},
    {"exact-latemask", "dsa.prediction.repair=exact-latemask"},
    {"recompute",      "dsa.prediction.repair=recompute"},
};

constexpr DsaCell kHandOff[] = {
    {"none",   "dsa.hand_off.doorbell=0 ns ; dsa.hand_off.sync=0 ns ; dsa.hand_off.descriptor=0 ns ; dsa.hand_off.top_k=0 ns"},
    {"0.25 x", "dsa.hand_off.doorbell=112 ns ; dsa.hand_off.sync=112 ns ; dsa.hand_off.descriptor=50 ns ; dsa.hand_off.top_k=125 ns"},
    {"1 x",    ""},
    {"2 x",    "dsa.hand_off.doorbell=900 ns ; dsa.hand_off.sync=900 ns ; dsa.hand_off.descriptor=400 ns ; dsa.hand_off.top_k=1 us"},
    {"4 x",    "dsa.hand_off.doorbell=1800 ns ; dsa.hand_off.sync=1800 ns ; dsa.hand_off.descriptor=800 ns ; dsa.hand_off.top_k=2 us"},
    {"10 x",   "dsa.hand_off.doorbell=4500 ns ; dsa.hand_off.sync=4500 ns ; dsa.hand_off.descriptor=2 us ; dsa.hand_off.top_k=5 us"},
};

constexpr std::string_view kFour = "attention.queries_per_column=4";
constexpr std::string_view kThree = "dsa.schedules=[serial, S3, oracle]";

constexpr DsaPart kParts[] = {
    {"ablation", "every schedule; published speedups are those of an H100, another platform", "", kAblation, kPublished, "selector, process", true},
    {"delta", "blocks predicted for each selected", kThree, kDelta, {nullptr, 0}, "delta", false},
    {"context", "tokens in the cache", "dsa.schedules=[dense, serial, S2, S3, oracle]", kContext, {nullptr, 0}, "context, tokens", true},
    {"block", "tokens of a block, budget 2048", "dsa.schedules=[serial, S2, S3, oracle]", kBlock, {nullptr, 0}, "block, tokens", true},
    {"budget", "tokens attended to", "dsa.schedules=[dense, serial, S2, S3, oracle]", kBudget, {nullptr, 0}, "budget, tokens", true},
    {"selection", "who scores, and where the summaries lie", kThree, kSelection, {nullptr, 0}, "engine, summaries", true},
    {"hand-off", "latencies of host and top-K unit, over those of the configuration", kThree, kHandOff, {nullptr, 0}, "latencies", true},
    {"batch", "overlap of requests, 8K tokens each", "dsa.schedules=[S3] ; dsa.context=8192", kBatch, {nullptr, 0}, "requests", false},
    {"repair", "what is done about misses and waste", "dsa.schedules=[serial, S3]", kRepair, {nullptr, 0}, "mode", true},
    {"rows", "keeping row hits, one query a column access", "dsa.schedules=[dense, serial, S3]", kRows, {nullptr, 0}, "placement, lists", true},
    {"rows-4", "the same, four queries a column access", "dsa.schedules=[dense, serial, S3] ; attention.queries_per_column=4", kRows, {nullptr, 0}, "placement, lists", true},
    {"unit-4", "every schedule, four queries a column access", kFour, kAblation, {nullptr, 0}, "selector, process", true},
};
// clang-format on

}  // namespace

Span<DsaPart> dsa_parts() {
  return kParts;
}

}  // namespace lockstep
