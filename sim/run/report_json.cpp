#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/run/config_json.h"
#include "sim/run/energy_json.h"
#include "sim/run/report.h"
#include "sim/run/report_head.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

Json serving_json(const DecodeResult& result) {
  const auto& serving = result.serving;
  return {{"steps", serving.steps},
          {"requests_completed", serving.completed},
          {"requests_dropped", serving.dropped()},
          {"requests_dropped_unplaceable", serving.dropped_unplaceable},
          {"requests_dropped_too_large", serving.dropped_too_large},
          {"requests_dropped_preempted", serving.dropped_preempted},
          {"admission_failures", serving.admission_failures},
          {"preemptions", serving.preemptions},
          {"recomputed_tokens", serving.recomputed_tokens},
          {"generated_tokens", serving.generated_tokens},
          {"pool_blocks", result.pool_blocks},
          {"blocks_per_region", result.blocks_per_region},
          {"blocks_allocated", result.blocks.allocated},
          {"blocks_freed", result.blocks.freed},
          {"reserved_but_empty_ratio", serving.empty_share()},
          {"prefix_hit_blocks", serving.prefix_hit_blocks},
          {"prefix_evicted_blocks", serving.prefix_evicted_blocks},
          {"speculation_rounds", serving.speculation_rounds},
          {"speculation_stalls", serving.speculation_stalls},
          {"copy_on_write_tokens", serving.copy_on_write_tokens},
          {"copied_back_tokens", serving.copied_back_tokens},
          {"staged_tokens", serving.staged_tokens},
          {"gathered_tokens", serving.gathered_tokens}};
}

Json score_json(const DecodeResult& result) {
  return {{"m1_row_hit_ratio", number(result.m1.mean())},
          {"m1_row_hit_ratio_p05", number(result.m1.percentile(5))},
          {"m1_row_hit_ratio_p95", number(result.m1.percentile(95))},
          {"m2_bank_participation_ratio", number(result.m2.mean())},
          {"m3_formula_bandwidth_gbps", number(result.m3_gbps.mean())},
          {"m3_formula_bandwidth_gbps_p05", number(result.m3_gbps.percentile(5))},
          {"m3_formula_bandwidth_gbps_p95", number(result.m3_gbps.percentile(95))},
          {"region_spread_ratio", number(result.region_spread.mean())},
          {"adjacency_ratio", number(result.adjacency.mean())},
          {"scored_pairs", result.m1.count()}};
}

Json cycles_json(const RunConfig& config, const PolicyResult& policy) {
  const auto& result = policy.decode;
  const auto& stats = policy.stats;
  const Hertz clock = config.stack.clock;
  const auto count = [&](Cmd cmd) { return stats.commands[static_cast<std::size_t>(cmd)]; };
  Json json = {{"cycle_bandwidth_gbps", cycle_bandwidth_gbps(result, clock)},
               {"cycle_to_formula_ratio", number(cycle_to_formula(config, result))},
               {"cycle_row_hit_ratio", number(stats.pim_hit_ratio())},
               {"peak_pim_bandwidth_gbps", config.stack.peak_pim_bytes_per_second() / 1e9},
               {"step_latency_ns_mean", number(result.step_latency_ns.mean())},
               {"step_latency_ns_p95", number(result.step_latency_ns.percentile(95))},
               {"simulated_ns", nanoseconds(result.end, clock)},
               {"simulated_cycles", result.end.count},
               {"kv_bytes_read", result.kv_bytes},
               {"copied_bytes", result.copied_bytes},
               {"copy_time_ns", nanoseconds(result.copy_time, clock)},
               {"all_bank_commands", count(Cmd::MACab)},
               {"row_activations", count(Cmd::ACTab)},
               {"refreshes", count(Cmd::REFab) + count(Cmd::REFpb)}};
  Json commands = Json::object();
  for (const auto& row : kCommands) commands[std::string(row.name)] = count(row.cmd);
  json["commands"] = commands;
  const auto energy =
      energy_of(config.stack.energy, stats, config.stack.controller.topology, result.end, clock);
  json["energy_pj"] = energy_json(energy, config.stack.energy);
  json["energy_pj_per_generated_token"] =
      result.serving.generated_tokens > 0
          ? Json(energy.total_pj() / static_cast<double>(result.serving.generated_tokens))
          : Json(nullptr);
  json["wait_cycles"] = Json::object();
  for (const auto& [name, clocks] : stats.waits_by_name()) json["wait_cycles"][name] = clocks;
  return json;
}

}  // namespace

std::string summary_json(const RunConfig& config, const Comparison& comparison) {
  Json json = report_head(config, config.decode.seed);
  json.update(Json{{"all_bank_scope_banks", config.stack.banks_in_lockstep()},
                   {"channel_groups", config.decode.channel_groups},
                   {"requests", comparison.requests},
                   {"workload", comparison.workload}});
  json["policies"] = Json::array();
  for (const auto& policy : comparison.policies) {
    Json row = {{"name", policy.name}};
    row.update(score_json(policy.decode));
    row.update(cycles_json(config, policy));
    row.update(serving_json(policy.decode));
    json["policies"].push_back(row);
  }
  json["gain_formula"] = number(comparison.gain_formula());
  json["gain_cycles"] = number(comparison.gain_cycles());
  json["config"] = config_json(config.tree);
  return json.dump(2) + "\n";
}

std::string timing_json(const Comparison& comparison) {
  Json json = {{"schema", kReportSchema}, {"policies", Json::array()}};
  for (const auto& policy : comparison.policies) {
    const auto commands = policy.stats.total_commands();
    json["policies"].push_back(
        {{"name", policy.name},
         {"wall_s", policy.wall_seconds},
         {"simulated_commands", commands},
         {"simulated_commands_per_s", static_cast<double>(commands) / policy.wall_seconds}});
  }
  return json.dump(2) + "\n";
}

std::string steps_csv(const RunConfig& config, const Comparison& comparison) {
  std::string text =
      "policy,step,running,tokens,kv_bytes,all_bank_commands,row_visits,copied_bytes,copy_"
      "cycles,latency_cycles,latency_ns\n";
  for (const auto& policy : comparison.policies) {
    for (const auto& step : policy.decode.steps) {
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{:.3f}\n", policy.name, step.step,
                          step.running, step.tokens, step.kv_bytes, step.all_bank_commands,
                          step.row_visits, step.copied_bytes, step.copy_time.count,
                          step.latency.count, nanoseconds(step.latency, config.stack.clock));
    }
  }
  return text;
}

}  // namespace lockstep
