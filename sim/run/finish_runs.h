// The end of every comparison: one run a policy, each with its commands in a file if asked for.
#pragma once

#include <memory>
#include <vector>

#include "sim/run/comparison.h"
#include "sim/run/output_file.h"
#include "sim/run/served_requests.h"
#include "tlm/contract/command_csv.h"

namespace lockstep {

// `runs` belong to config.policies; Result, a struct such as Comparison, is filled with what they
// give and with what `served` says. Throws InputError if the file of the commands cannot be
// written.
template <typename Result, typename Run>
Result finish_runs(const RunConfig& config, const RunOptions& options, const ServedRequests& served,
                   const std::vector<std::unique_ptr<Run>>& runs) {
  Result comparison;
  comparison.requests = static_cast<std::int64_t>(served.requests.size());
  comparison.workload = served.what;
  comparison.requests_report = served.report;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::unique_ptr<OutputFile> file;
    std::unique_ptr<CommandCsv> csv;
    if (options.commands_file) {
      file = std::make_unique<OutputFile>(
          numbered(*options.commands_file, config.policies[i], runs.size()));
      csv = std::make_unique<CommandCsv>(file->stream(), config.stack.clock);
    }
    comparison.policies.push_back(runs[i]->finish(csv.get()));
    csv.reset();
    if (file) file->keep();
  }
  return comparison;
}

}  // namespace lockstep
