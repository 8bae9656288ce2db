#include "sim/study/attention_study.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "configs/setting_place.h"
#include "sim/attention/attention_comparison.h"
#include "sim/attention/channel_map.h"
#include "sim/run/run_config.h"

namespace lockstep {
namespace {

constexpr AttentionScope kScopes[] = {
    {"pseudo_channel", 16, "address_map=host-cacheline"},
    {"channel", 32, "pim.all_bank_scope=channel"},
    {"channel, two SIDs", 64, "pim.all_bank_scope=channel ; geometry.stack_ids=2"},
};
constexpr int kGroups[] = {1, 2, 4, 8, 16};
constexpr int kQueriesPerColumn[] = {1, 2, 4, 8};
// Steps that are simulated: one of so many.
constexpr int kFullEvery = 128;
constexpr int kQuickEvery = 1024;

std::vector<std::string> overrides_of(const AttentionCell& cell, Extent extent) {
  std::vector<std::string> overrides = {
      "kv.policies=[paged-lifo, region]", fmt::format("attention.group={}", cell.group),
      fmt::format("attention.queries_per_column={}", cell.queries_per_column)};
  std::string_view rest = cell.scope->overrides;
  for (;;) {
    const auto end = rest.find(" ; ");
    overrides.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 3);
  }
  if (cell.scope->banks > kScopes[0].banks)
    overrides.push_back(fmt::format("address_map={}", kChannelMap));
  overrides.push_back(fmt::format("scoring.simulate_every_steps={}",
                                  extent == Extent::kQuick ? kQuickEvery : kFullEvery));
  return overrides;
}

AttentionPlacement placement_of(const RunConfig& config, const AttentionPolicy& policy) {
  const auto& counts = policy.result.counts;
  return {policy.kv_bandwidth_gbps(config.stack.clock).value_or(0),
          policy.mac_utilisation(config).value_or(0),
          static_cast<double>(counts.all_bank_commands) / static_cast<double>(counts.row_visits)};
}

void measure(const AttentionStudyOptions& options, AttentionCell& cell, std::string& workload) {
  const RunConfig config =
      load_run_config({options.config_file, overrides_of(cell, options.extent), std::nullopt});
  AttentionComparison comparison;
  at_places_of(config.tree, [&] { comparison = compare_attention(config, {}, ShowProgress::kNo); });
  workload = comparison.workload;
  cell.paged = placement_of(config, comparison.policies.front());
  cell.region = placement_of(config, comparison.policies.back());
  cell.gain_formula = comparison.gain_formula(config.decode.scoring.formula).value_or(0);
  cell.gain_cycles = comparison.gain_cycles().value_or(0);
  const auto& timing = config.stack.controller.timing.dram;
  const auto clocks = [](Cycles cycles) { return static_cast<double>(cycles.count); };
  const double columns = cell.paged.commands_per_row * clocks(timing.nCCDAB);
  const double visit =
      std::max(clocks(timing.nRC),
               clocks(timing.nRCDRD + timing.nRTP + timing.nRP) + columns - clocks(timing.nCCDAB));
  cell.row_change_share = 1 - std::min(1.0, columns / visit);
}

}  // namespace

Span<AttentionScope> attention_scopes() {
  return kScopes;
}

AttentionStudy run_attention_study(const AttentionStudyOptions& options) {
  AttentionStudy study;
  for (const auto& scope : kScopes) {
    for (const int group : kGroups) {
      for (const int queries : kQueriesPerColumn) {
        if (queries > group) continue;
        AttentionCell cell;
        cell.scope = &scope;
        cell.group = group;
        cell.queries_per_column = queries;
        study.cells.push_back(cell);
      }
    }
  }
  std::vector<std::string> workloads(study.cells.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < study.cells.size(); i = next++) {
      try {
        measure(options, study.cells[i], workloads[i]);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure) failure = std::current_exception();
        next = study.cells.size();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < options.jobs; ++i) threads.emplace_back(work);
  work();
  for (auto& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  study.workload = workloads.front();
  return study;
}

}  // namespace lockstep
