#include <fmt/format.h>

#include "sim/run/report.h"

namespace lockstep {
namespace {

struct Row {
  const char* label;
  std::string (*value)(const RunConfig&, const PolicyResult&);
};

std::string fixed(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::string formula_gbps(const RunConfig&, const PolicyResult& p) {
  return fixed(p.decode.m3_gbps.mean(), 1);
}

constexpr Row kRows[] = {
    // clang-format off
    {"M1 row hits (formula)",            [](const RunConfig&, const PolicyResult& p) { return fixed(p.decode.m1.mean(), 4); }},
    {"M2 bank participation",            [](const RunConfig&, const PolicyResult& p) { return fixed(p.decode.m2.mean(), 4); }},
    {"M3 bandwidth by formula, GB/s",    formula_gbps},
    {"bandwidth by cycles, GB/s",        [](const RunConfig& c, const PolicyResult& p) { return fixed(cycle_bandwidth_gbps(p.decode, c.stack.clock), 1); }},
    {"cycles / formula",                 [](const RunConfig& c, const PolicyResult& p) {
       return fixed(cycle_to_formula(c, p.decode), 3); }},
    {"row hits by cycles",               [](const RunConfig&, const PolicyResult& p) { return fixed(p.stats.pim_hit_ratio(), 4); }},
    {"step latency mean, us",            [](const RunConfig&, const PolicyResult& p) { return p.decode.steps.empty() ? "-" : fixed(*p.decode.step_latency_ns.mean() / 1e3, 2); }},
    {"step latency p95, us",             [](const RunConfig&, const PolicyResult& p) { return p.decode.steps.empty() ? "-" : fixed(*p.decode.step_latency_ns.percentile(95) / 1e3, 2); }},
    {"region spread",                    [](const RunConfig&, const PolicyResult& p) { return fixed(p.decode.region_spread.mean(), 2); }},
    {"reserved but empty, share",        [](const RunConfig&, const PolicyResult& p) { return fixed(p.decode.serving.empty_share(), 4); }},
    {"copied inside the pool, MB",       [](const RunConfig&, const PolicyResult& p) { return fixed(static_cast<double>(p.decode.copied_bytes) / 1e6, 1); }},
    {"time of the copies, us",           [](const RunConfig& c, const PolicyResult& p) { return fixed(nanoseconds(p.decode.copy_time, c.stack.clock) / 1e3, 1); }},
    {"preemptions",                      [](const RunConfig&, const PolicyResult& p) { return fmt::format("{}", p.decode.serving.preemptions); }},
    {"steps",                            [](const RunConfig&, const PolicyResult& p) { return fmt::format("{}", p.decode.serving.steps); }},
    {"requests completed",               [](const RunConfig&, const PolicyResult& p) { return fmt::format("{}", p.decode.serving.completed); }},
    {"requests dropped",                 [](const RunConfig&, const PolicyResult& p) { return fmt::format("{}", p.decode.serving.dropped()); }},
    {"admission failures",               [](const RunConfig&, const PolicyResult& p) { return fmt::format("{}", p.decode.serving.admission_failures); }},
    {"energy, mJ",                       [](const RunConfig& c, const PolicyResult& p) { return fixed(energy_of(c.stack.energy, p.stats, c.stack.controller.topology, p.decode.end, c.stack.clock).total_pj() / 1e9, 2); }},
    {"simulated time, ms",               [](const RunConfig& c, const PolicyResult& p) { return fixed(nanoseconds(p.decode.end, c.stack.clock) / 1e6, 3); }},
    {"commands, millions",               [](const RunConfig&, const PolicyResult& p) { return fixed(static_cast<double>(p.stats.total_commands()) / 1e6, 1); }},
    {"commands simulated a second, mln", [](const RunConfig&, const PolicyResult& p) { return fixed(static_cast<double>(p.stats.total_commands()) / 1e6 / p.wall_seconds, 1); }},
    {"wall-clock time, s",               [](const RunConfig&, const PolicyResult& p) { return fixed(p.wall_seconds, 2); }},
    // clang-format on
};

}  // namespace

std::string text_report(const RunConfig& config, const Comparison& comparison) {
  std::string text =
      fmt::format("{}: {}, {} banks in lockstep, detail {}, seed {}, scored pairs {}\n\n",
                  config.name, comparison.workload, config.stack.banks_in_lockstep(),
                  kDetails[static_cast<std::size_t>(config.detail)], config.decode.seed,
                  comparison.policies.empty() ? 0 : comparison.policies.front().decode.m1.count());
  text += fmt::format("{:<34}", "");
  for (const auto& policy : comparison.policies) text += fmt::format(" {:>14}", policy.name);
  text += '\n';
  for (const auto& row : kRows) {
    text += fmt::format("{:<34}", row.label);
    for (const auto& policy : comparison.policies)
      text += fmt::format(" {:>14}", row.value(config, policy));
    text += '\n';
  }
  if (comparison.policies.size() < 2) return text;
  text += fmt::format("\ngain of {} over {}: {}x by formula, {}x by cycles\n",
                      comparison.policies.back().name, comparison.policies.front().name,
                      fixed(comparison.gain_formula(), 2), fixed(comparison.gain_cycles(), 2));
  return text;
}

}  // namespace lockstep
