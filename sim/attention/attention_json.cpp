#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/attention/attention_report.h"
#include "sim/run/config_json.h"
#include "sim/run/energy_json.h"
#include "sim/run/report_head.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

Json stages_json(const PimStageTimes& stages, Hertz clock) {
  Json json = Json::object();
  for (const auto& stage : kPimStages)
    json[std::string(stage.name) + "_exposed_ns"] = nanoseconds(stages[stage.stage], clock);
  json["softmax_hidden_ns"] = nanoseconds(stages.softmax_span - stages[PimStage::kSoftmax], clock);
  return json;
}

Json policy_json(const RunConfig& config, const AttentionPolicy& policy) {
  const auto& result = policy.result;
  const Hertz clock = config.stack.clock;
  Json json = {{"name", policy.name},
               {"kv_bandwidth_gbps", number(policy.kv_bandwidth_gbps(clock))},
               {"peak_pim_bandwidth_gbps", config.stack.peak_pim_bytes_per_second() / 1e9},
               {"mac_utilisation_ratio", number(policy.mac_utilisation(config))},
               {"bank_participation_ratio", number(policy.bank_participation())},
               {"cycle_row_hit_ratio", number(policy.stats.pim_hit_ratio())},
               {"tokens_per_s", number(policy.tokens_per_second())},
               {"step_ns_mean", number(result.step_ns.mean())},
               {"step_ns_p95", number(result.step_ns.percentile(95))},
               {"attention_ns_mean", number(result.attention_ns.mean())},
               {"attention_cycles", result.attention.count},
               {"kv_write_cycles", result.kv_write.count},
               {"prefill_write_cycles", result.prefill_write.count},
               {"kv_bytes_attended", result.counts.kv_bytes},
               {"kv_bytes_read", result.counts.read_bytes},
               {"kv_bytes_written_simulated", result.written_bytes},
               {"all_bank_commands", result.counts.all_bank_commands},
               {"row_visits", result.counts.row_visits},
               {"pim_busy_ns", result.time.pim_busy_ns},
               {"pim_exposed_ns", result.time.exposed_pim_ns},
               {"xpu_busy_ns", result.time.xpu_busy_ns},
               {"xpu_exposed_ns", result.time.exposed_xpu_ns},
               {"simulated_layers", result.simulated_layers}};
  for (std::size_t i = 0; i < kXpuStages.size(); ++i)
    json["xpu_" + std::string(kXpuStages[i]) + "_ns"] = result.xpu_ns[i];
  json["energy_pj"] = energy_json(policy.energy(config), config.stack.energy);
  json["energy_pj_per_token"] = number(policy.energy_pj_per_token(config));
  if (config.detail == Detail::kStream) json["stages"] = stages_json(result.stages, clock);
  json["steps"] = result.serving.steps;
  json["simulated_steps"] = result.steps.size();
  json["requests_completed"] = result.serving.completed;
  json["requests_dropped"] = result.serving.dropped();
  json["generated_tokens"] = result.serving.generated_tokens;
  json["pool_blocks"] = result.pool_blocks;
  json["blocks_per_region"] = result.blocks_per_region;
  return json;
}

}  // namespace

std::string attention_summary_json(const RunConfig& config, const AttentionComparison& comparison) {
  const auto& attention = *config.attention;
  Json json = report_head(config, attention.seed);
  json.update(Json{{"all_bank_scope_banks", config.stack.banks_in_lockstep()},
                   {"group_queries", attention.group},
                   {"queries_per_column", attention.unit.queries_per_column},
                   {"requests", comparison.requests},
                   {"workload", comparison.workload}});
  json["policies"] = Json::array();
  for (const auto& policy : comparison.policies)
    json["policies"].push_back(policy_json(config, policy));
  json["gain_formula"] = number(comparison.gain_formula(config.decode.scoring.formula));
  json["gain_cycles"] = number(comparison.gain_cycles());
  json["config"] = config_json(config.tree);
  return json.dump(2) + "\n";
}

std::string attention_timing_json(const AttentionComparison& comparison) {
  Json json = {{"schema", kReportSchema}, {"policies", Json::array()}};
  for (const auto& policy : comparison.policies) {
    json["policies"].push_back({{"name", policy.name},
                                {"wall_s", policy.wall_seconds},
                                {"simulated_commands", policy.stats.total_commands()}});
  }
  return json.dump(2) + "\n";
}

std::string attention_steps_csv(const RunConfig& config, const AttentionComparison& comparison) {
  const Hertz clock = config.stack.clock;
  std::string text =
      "policy,step,running,tokens,kv_bytes,all_bank_commands,row_visits,prefill_write_ns,"
      "kv_write_ns,attention_ns,qkv_ns,projection_ns,ffn_ns,pim_exposed_ns,xpu_exposed_ns,step_"
      "ns\n";
  for (const auto& policy : comparison.policies) {
    for (const auto& step : policy.result.steps) {
      text += fmt::format(
          "{},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},"
          "{:.3f},{:.3f}\n",
          policy.name, step.step, step.running, step.tokens, step.counts.kv_bytes,
          step.counts.all_bank_commands, step.counts.row_visits,
          nanoseconds(step.prefill_write, clock), nanoseconds(step.kv_write, clock),
          nanoseconds(step.attention, clock), step.xpu_ns[0], step.xpu_ns[1], step.xpu_ns[2],
          step.time.exposed_pim_ns, step.time.exposed_xpu_ns, step.time.total_ns);
    }
  }
  return text;
}

}  // namespace lockstep
