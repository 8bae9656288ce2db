#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "firmware/sparse/side_memory.h"
#include "sim/run/config_json.h"
#include "sim/run/report_head.h"
#include "sim/sparse/sparse_report.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

Json mean(std::int64_t sum, std::int64_t of) {
  return of > 0 ? Json(static_cast<double>(sum) / static_cast<double>(of)) : Json(nullptr);
}

Json lists_json(const ScheduleResult& schedule, Hertz clock) {
  const auto& lists = schedule.result.lists;
  const auto& windows = schedule.result.windows;
  return {{"overlap_ratio", number(schedule.overlap())},
          {"delta", schedule.delta},
          {"selected_blocks_mean", mean(lists.selected, lists.lists)},
          {"guessed_blocks_mean", mean(lists.guessed, lists.lists)},
          {"missed_blocks_mean", mean(lists.missed, lists.lists)},
          {"wasted_blocks_mean", mean(lists.wasted, lists.lists)},
          {"missed_blocks_of_slowest_head_mean", mean(lists.most_missed, lists.layers)},
          {"layers_with_a_miss_ratio", mean(lists.layers_with_a_miss, lists.layers)},
          {"speculation_overrun_ratio", mean(windows.overruns, windows.layers)},
          {"window_slack_ns_mean", windows.layers > 0 ? Json(nanoseconds(windows.slack, clock) /
                                                             static_cast<double>(windows.layers))
                                                      : Json(nullptr)}};
}

Json streams_json(const RunConfig& config, const ScheduleResult& schedule) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kSparseStreams.size(); ++i) {
    const auto stream = static_cast<SparseStream>(i);
    const auto& stats = schedule.streams[i];
    const auto& work = schedule.result.streams[i];
    if (stats.total_commands() == 0) continue;
    Json commands = Json::object();
    for (const auto& row : kCommands) {
      const auto count = stats.commands[static_cast<std::size_t>(row.cmd)];
      if (count > 0) commands[std::string(row.name)] = count;
    }
    json[std::string(kSparseStreams[i])] = {
        {"kv_bytes", work.kv_bytes},
        {"busy_ns", nanoseconds(work.busy, config.stack.clock)},
        {"bandwidth_gbps", number(schedule.bandwidth_gbps(config.stack.clock, stream))},
        {"row_hit_ratio", number(schedule.row_hits(stream))},
        {"column_row_hit_ratio", number(schedule.column_row_hits(config, stream))},
        {"bank_participation_ratio", number(schedule.participation(config, stream))},
        {"energy_pj", schedule.energy_pj(config, stream)},
        {"commands", commands}};
  }
  return json;
}

Json schedule_json(const RunConfig& config, const SparseComparison& comparison,
                   const ScheduleResult& schedule) {
  const auto& result = schedule.result;
  const auto tokens = static_cast<double>(result.steps.size());
  Json json = {{"name", schedule.name},
               {"token_ns_mean", number(result.token_ns.mean())},
               {"token_ns_p50", number(result.token_ns.percentile(50))},
               {"token_ns_p95", number(result.token_ns.percentile(95))},
               {"token_ns_p99", number(result.token_ns.percentile(99))},
               {"tokens_per_s", schedule.tokens_per_second(config)},
               {"speedup_over_serial_ratio", number(comparison.speedup("serial", schedule.name))},
               {"speedup_over_dense_ratio", number(comparison.speedup("dense", schedule.name))},
               {"preparation_ns", nanoseconds(result.preparation, config.stack.clock)},
               {"simulated_ns", nanoseconds(result.end, config.stack.clock)}};
  for (const auto& row : kSparseStages) {
    const auto i = static_cast<std::size_t>(row.stage);
    json["stages_per_token"][std::string(row.name)] = {
        {"busy_ns", result.busy_ns[i] / tokens},
        {"exposed_ns", result.exposed_ns[i] / tokens},
        {"hidden_ns", (result.busy_ns[i] - result.exposed_ns[i]) / tokens}};
  }
  if (schedule.name != "dense") json["lists"] = lists_json(schedule, config.stack.clock);
  json["streams"] = streams_json(config, schedule);
  return json;
}

}  // namespace

std::string sparse_summary_json(const RunConfig& config, const SparseComparison& comparison) {
  const auto& sparse = *config.sparse;
  Json json = report_head(config, sparse.seed);
  json.update(Json{{"scores", comparison.scores},
                   {"context_tokens", sparse.context_tokens},
                   {"decode_tokens", sparse.decode_tokens},
                   {"batch", sparse.batch},
                   {"layers", sparse.layers},
                   {"recall_ratio", comparison.mean_recall}});
  for (const auto& part : side_memory(sparse, comparison.schedules.front().delta))
    json["side_memory_bytes"][std::string(part.name)] = part.bytes;
  json["schedules"] = Json::array();
  for (const auto& schedule : comparison.schedules)
    json["schedules"].push_back(schedule_json(config, comparison, schedule));
  json["config"] = config_json(config.tree);
  return json.dump(2) + "\n";
}

std::string sparse_timing_json(const SparseComparison& comparison) {
  Json json = {{"schema", kReportSchema}, {"lists_wall_s", comparison.list_seconds}};
  json["schedules"] = Json::array();
  for (const auto& schedule : comparison.schedules) {
    std::int64_t commands = 0;
    for (const auto& stats : schedule.streams) commands += stats.total_commands();
    json["schedules"].push_back({{"name", schedule.name},
                                 {"wall_s", schedule.wall_seconds},
                                 {"simulated_commands", commands}});
  }
  return json.dump(2) + "\n";
}

std::string sparse_steps_csv(const SparseComparison& comparison) {
  std::string text = "schedule,step,tokens,total_ns";
  for (const auto& row : kSparseStages)
    text += fmt::format(",{}_busy_ns,{}_exposed_ns", row.name, row.name);
  text += ",selected_blocks,guessed_blocks,missed_blocks,wasted_blocks\n";
  for (const auto& schedule : comparison.schedules) {
    for (const auto& step : schedule.result.steps) {
      text += fmt::format("{},{},{},{:.3f}", schedule.name, step.step, step.tokens, step.total_ns);
      for (std::size_t i = 0; i < kSparseStageCount; ++i)
        text += fmt::format(",{:.3f},{:.3f}", step.busy_ns[i], step.exposed_ns[i]);
      text += fmt::format(",{},{},{},{}\n", step.lists.selected, step.lists.guessed,
                          step.lists.missed, step.lists.wasted);
    }
  }
  return text;
}

}  // namespace lockstep
