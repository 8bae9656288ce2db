// Runs the policies of a configuration on equal stacks and requests, and holds their results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware/decode/decode_result.h"
#include "sim/run/run_config.h"

namespace lockstep {

struct PolicyResult {
  std::string name;
  DecodeResult decode;
  ChannelStats stats;
  double wall_seconds = 0;
  std::int64_t region_blocks = 0;
};

struct Comparison {
  std::int64_t requests = 0;
  std::string workload;         // what was served, for people
  std::string requests_report;  // of a replayed file; empty for a generated workload
  std::vector<PolicyResult> policies;

  // Of the last policy over the first; nullopt for one policy.
  std::optional<double> gain_formula() const;
  std::optional<double> gain_cycles() const;
};

// Bandwidth that the simulated cycles give: KV bytes over the sum of the step latencies, copies
// inside the pool included.
double cycle_bandwidth_gbps(const DecodeResult& result, Hertz clock);

// That bandwidth over M3, which is one channel group's, times the groups; nullopt where nothing was
// scored.
std::optional<double> cycle_to_formula(const RunConfig& config, const DecodeResult& result);

struct RunOptions {
  std::optional<std::string> requests_file;
  std::optional<std::string> commands_file;  // CSV of every command of the stack
  bool progress = true;                      // of sparse runs: shown on the error stream
};

// Throws InputError for what the user can mend, Interrupted after Ctrl-C.
Comparison run_comparison(const RunConfig& config, const RunOptions& options);

// Runs one policy of the configuration at command level and tells `sink` of every command, up to
// the end of the step under way at `until`, or of the run.
void run_traced(const RunConfig& config, const RunOptions& options, const std::string& policy,
                CommandSink& sink, std::optional<Picoseconds> until);

}  // namespace lockstep
