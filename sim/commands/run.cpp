// lockstep run CONFIG: simulates, prints a table or JSON, writes summary.json, steps.csv,
// timing.json.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "configs/setting_place.h"
#include "sim/attention/attention_comparison.h"
#include "sim/attention/attention_report.h"
#include "sim/attention/verify_attention.h"
#include "sim/cli/command.h"
#include "sim/commands/declare.h"
#include "sim/run/comparison.h"
#include "sim/run/output_file.h"
#include "sim/run/report.h"
#include "sim/run/served_requests.h"
#include "sim/sparse/sparse_report.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct Options {
  ConfigSource source;
  RunOptions run;
  std::optional<std::string> out;
  std::string format = "text";
  bool functional = false;
};

struct Computed {
  std::string text;
  bool passed = true;
};

// Attention of the first requests, computed in the banks and held against double precision.
constexpr std::int64_t kComputedRequests = 8;
Computed compute(const RunConfig& config, const Options& options) {
  const auto served = served_requests(config, options.run.requests_file);
  const auto summary = verify_configured(config, served.requests, kComputedRequests, 1);
  std::string text = fmt::format(
      "computed in the banks: {} sequences, worst error {:.3e} of the largest output (bound "
      "{:.1e})\n",
      summary.cases, summary.worst_error, kAttentionErrorBound);
  for (const auto& counter : kFunctionalCounters)
    text += fmt::format("  {}: {} ({})\n", counter.name, summary.stats.*(counter.member),
                        counter.meaning);
  for (const auto& failure : summary.failures) text += "failed: " + failure + "\n";
  return {text, summary.failed == 0};
}

int run_attention(const RunConfig& config, const Options& options, const std::string& folder) {
  const Computed computed = options.functional ? compute(config, options) : Computed{};
  const auto comparison = compare_attention(config, options.run, ShowProgress::kYes);
  write_files(folder, {{"summary.json", attention_summary_json(config, comparison)},
                       {"steps.csv", attention_steps_csv(config, comparison)},
                       {"timing.json", attention_timing_json(comparison)}});
  if (options.format == "json") {
    fmt::print(stderr, "{}", computed.text);
    fmt::print("{}", attention_summary_json(config, comparison));
    return computed.passed ? kExitDone : kExitCheckFailed;
  }
  if (!comparison.requests_report.empty()) fmt::print("{}\n", comparison.requests_report);
  fmt::print("{}{}written: {}/summary.json, steps.csv, timing.json\n",
             attention_text_report(config, comparison), computed.text, folder);
  return computed.passed ? kExitDone : kExitCheckFailed;
}

void run_sparse(const RunConfig& config, const Options& options, const std::string& folder) {
  const auto comparison = compare_sparse(config, options.run);
  write_files(folder, {{"summary.json", sparse_summary_json(config, comparison)},
                       {"steps.csv", sparse_steps_csv(comparison)},
                       {"timing.json", sparse_timing_json(comparison)}});
  if (options.format == "json") {
    fmt::print("{}", sparse_summary_json(config, comparison));
    return;
  }
  fmt::print("{}written: {}/summary.json, steps.csv, timing.json\n",
             sparse_text_report(config, comparison), folder);
}

int run(const RunConfig& config, const Options& options) {
  const std::string folder = options.out.value_or("out/" + config.name);
  if (folder.empty()) throw InputError("--out: expected a folder, got nothing");
  OutputFile(
      (std::filesystem::path(folder) / "summary.json").string());  // fail now, not after the run
  if (options.functional && (!config.attention || config.sparse))
    throw InputError(
        "--functional: expected a configuration with a section `attention` and none `dsa` (for "
        "that: lockstep verify dsa)");
  if (config.sparse) {
    run_sparse(config, options, folder);
    return kExitDone;
  }
  if (config.attention) return run_attention(config, options, folder);
  const Comparison comparison = run_comparison(config, options.run);
  write_files(folder, {{"summary.json", summary_json(config, comparison)},
                       {"steps.csv", steps_csv(config, comparison)},
                       {"timing.json", timing_json(comparison)}});
  if (options.format == "json") {
    fmt::print("{}", summary_json(config, comparison));
    return kExitDone;
  }
  if (!comparison.requests_report.empty()) fmt::print("{}\n", comparison.requests_report);
  fmt::print("{}written: {}/summary.json, steps.csv, timing.json\n",
             text_report(config, comparison), folder);
  return kExitDone;
}

}  // namespace

void declare_run(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  app.add_option("CONFIG", options->source.file, "configuration file (YAML)")->required();
  app.add_option("--set", options->source.overrides,
                 "override a value: path.to.key=value; repeatable")
      ->allow_extra_args(false);
  app.add_option("--requests", options->run.requests_file,
                 "replay this request trace instead of the workload");
  app.add_option("--out", options->out, "folder of the results (default: out/NAME)");
  app.add_option("--seed", options->source.seed, "seed of the run instead of the configuration's");
  app.add_option("--format", options->format, "what is printed: text or json")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--functional", options->functional,
               "first compute the attention of eight requests in the banks, and compare with "
               "double precision");
  app.add_option("--commands", options->run.commands_file,
                 "also write every DRAM and PIM command to this CSV file");
  app.footer(
      "Examples:\n  lockstep run configs/main-job.yaml\n"
      "  lockstep run configs/attention-gqa4.yaml --set attention.queries_per_column=4\n"
      "  lockstep run configs/main-job.yaml --set kv.block_tokens=32 --set 'kv.policies=[region, "
      "contiguous]'\n"
      "  lockstep run configs/main-job.yaml --requests trace.csv --set replay.max_requests=2000");
  app.callback([options, &exit_code] {
    const RunConfig config = load_run_config(options->source);
    at_places_of(config.tree, [&] { exit_code = run(config, *options); });
  });
}

}  // namespace lockstep
