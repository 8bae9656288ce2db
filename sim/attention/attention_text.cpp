#include <fmt/format.h>

#include "sim/attention/attention_report.h"

namespace lockstep {
namespace {

using Policy = AttentionPolicy;

struct Row {
  const char* label;
  std::string (*value)(const RunConfig&, const Policy&);
};

std::string fixed(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::optional<double> microseconds(std::optional<double> ns) {
  if (!ns) return std::nullopt;
  return *ns / 1e3;
}

std::optional<double> microjoules(std::optional<double> pj) {
  if (!pj) return std::nullopt;
  return *pj / 1e6;
}

std::string milliseconds(Cycles clocks, Hertz clock) {
  return fmt::format("{:.3f}", nanoseconds(clocks, clock) / 1e6);
}

constexpr Row kRows[] = {
    // clang-format off
    {"KV bandwidth, GB/s",             [](const RunConfig& c, const Policy& p) { return fixed(p.kv_bandwidth_gbps(c.stack.clock), 1); }},
    {"share of the banks' peak",       [](const RunConfig& c, const Policy& p) {
       const auto gbps = p.kv_bandwidth_gbps(c.stack.clock);
       return gbps ? fixed(*gbps * 1e9 / c.stack.peak_pim_bytes_per_second(), 4) : "-"; }},
    {"MAC utilisation",                [](const RunConfig& c, const Policy& p) { return fixed(p.mac_utilisation(c), 4); }},
    {"bank participation",             [](const RunConfig&, const Policy& p) { return fixed(p.bank_participation(), 4); }},
    {"row hits by cycles",             [](const RunConfig&, const Policy& p) { return fixed(p.stats.pim_hit_ratio(), 4); }},
    {"tokens a second",                [](const RunConfig&, const Policy& p) { return fixed(p.tokens_per_second(), 1); }},
    {"step mean, us",                  [](const RunConfig&, const Policy& p) { return fixed(microseconds(p.result.step_ns.mean()), 2); }},
    {"step p95, us",                   [](const RunConfig&, const Policy& p) { return fixed(microseconds(p.result.step_ns.percentile(95)), 2); }},
    {"attention mean, us",             [](const RunConfig&, const Policy& p) { return fixed(microseconds(p.result.attention_ns.mean()), 2); }},
    {"stack energy, uJ a token",       [](const RunConfig& c, const Policy& p) { return fixed(microjoules(p.energy_pj_per_token(c)), 2); }},
    {"KV writes, ms",                  [](const RunConfig& c, const Policy& p) { return milliseconds(p.result.kv_write, c.stack.clock); }},
    {"prompts' writes, ms",            [](const RunConfig& c, const Policy& p) { return milliseconds(p.result.prefill_write, c.stack.clock); }},
    {"stack busy, ms",                 [](const RunConfig&, const Policy& p) { return fixed(p.result.time.pim_busy_ns / 1e6, 3); }},
    {"  of it exposed, ms",            [](const RunConfig&, const Policy& p) { return fixed(p.result.time.exposed_pim_ns / 1e6, 3); }},
    {"processor busy, ms",             [](const RunConfig&, const Policy& p) { return fixed(p.result.time.xpu_busy_ns / 1e6, 3); }},
    {"  of it exposed, ms",            [](const RunConfig&, const Policy& p) { return fixed(p.result.time.exposed_xpu_ns / 1e6, 3); }},
    {"steps simulated",                [](const RunConfig&, const Policy& p) { return fmt::format("{}", p.result.steps.size()); }},
    {"steps",                          [](const RunConfig&, const Policy& p) { return fmt::format("{}", p.result.serving.steps); }},
    {"requests completed",             [](const RunConfig&, const Policy& p) { return fmt::format("{}", p.result.serving.completed); }},
    {"requests dropped",               [](const RunConfig&, const Policy& p) { return fmt::format("{}", p.result.serving.dropped()); }},
    {"wall-clock time, s",             [](const RunConfig&, const Policy& p) { return fixed(p.wall_seconds, 2); }},
    // clang-format on
};

void append_row(std::string& text, std::string_view label, const std::vector<std::string>& values) {
  text += fmt::format("{:<34}", label);
  for (const auto& value : values) text += fmt::format(" {:>14}", value);
  text += '\n';
}

void append_stages(std::string& text, const RunConfig& config,
                   const AttentionComparison& comparison) {
  text += "\nexposed time of the stages of attention, ms (one channel, simulated layers)\n";
  for (const auto& stage : kPimStages) {
    std::vector<std::string> values;
    for (const auto& policy : comparison.policies)
      values.push_back(milliseconds(policy.result.stages[stage.stage], config.stack.clock));
    append_row(text, "  " + std::string(stage.name), values);
  }
  std::vector<std::string> hidden;
  for (const auto& policy : comparison.policies) {
    const auto& stages = policy.result.stages;
    hidden.push_back(
        milliseconds(stages.softmax_span - stages[PimStage::kSoftmax], config.stack.clock));
  }
  append_row(text, "  softmax hidden behind others", hidden);
}

}  // namespace

std::string attention_text_report(const RunConfig& config, const AttentionComparison& comparison) {
  const auto& attention = *config.attention;
  std::string text = fmt::format(
      "{}: {}, {} banks in lockstep, detail {}, seed {}\nGQA group {}, {} queries a column, layout "
      "{}, pipeline {}, writes {}, {} of {} layers simulated, {} sub-batches, {}\n\n",
      config.name, comparison.workload, config.stack.banks_in_lockstep(),
      kDetails[static_cast<std::size_t>(config.detail)], attention.seed, attention.group,
      attention.unit.queries_per_column,
      kKvTensorLayouts[static_cast<std::size_t>(attention.shape.layout)],
      kPipelines[static_cast<std::size_t>(attention.pipeline)],
      kWriteTimings[static_cast<std::size_t>(attention.writes)],
      attention.simulated == SimulatedLayers::kOne ? 1 : attention.layers, attention.layers,
      attention.sub_batches, attention.xpu.name);
  std::vector<std::string> names;
  for (const auto& policy : comparison.policies) names.push_back(policy.name);
  append_row(text, "", names);
  for (const auto& row : kRows) {
    std::vector<std::string> values;
    for (const auto& policy : comparison.policies) values.push_back(row.value(config, policy));
    append_row(text, row.label, values);
  }
  if (config.detail == Detail::kStream) append_stages(text, config, comparison);
  if (comparison.policies.size() < 2) return text;
  text += fmt::format("\ngain of {} over {} in attention: {}x by formula, {}x by cycles\n",
                      comparison.policies.back().name, comparison.policies.front().name,
                      fixed(comparison.gain_formula(config.decode.scoring.formula), 3),
                      fixed(comparison.gain_cycles(), 3));
  return text;
}

}  // namespace lockstep
