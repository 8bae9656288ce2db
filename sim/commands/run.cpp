// lockstep run CONFIG: simulates, prints a table or JSON, writes summary.json, steps.csv,
// timing.json.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "sim/attention/attention_comparison.h"
#include "sim/attention/attention_report.h"
#include "sim/cli/command.h"
#include "sim/commands/declare.h"
#include "sim/run/comparison.h"
#include "sim/run/output_file.h"
#include "sim/run/report.h"
#include "sim/sparse/sparse_report.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct Options {
  ConfigSource source;
  RunOptions run;
  std::optional<std::string> out;
  std::string format = "text";
};

using Files = std::vector<std::pair<const char*, std::string>>;

void write_results(const std::string& folder, const Files& files) {
  std::vector<std::unique_ptr<OutputFile>> outputs;
  for (const auto& [name, text] : files) {
    outputs.push_back(
        std::make_unique<OutputFile>((std::filesystem::path(folder) / name).string()));
    outputs.back()->write(text);
  }
  for (auto& output : outputs) output->keep();
}

void run_attention(const RunConfig& config, const Options& options, const std::string& folder) {
  const auto comparison = compare_attention(config, options.run, ShowProgress::kYes);
  write_results(folder, {{"summary.json", attention_summary_json(config, comparison)},
                         {"steps.csv", attention_steps_csv(config, comparison)},
                         {"timing.json", attention_timing_json(comparison)}});
  if (options.format == "json") {
    fmt::print("{}", attention_summary_json(config, comparison));
    return;
  }
  if (!comparison.requests_report.empty()) fmt::print("{}\n", comparison.requests_report);
  fmt::print("{}written: {}/summary.json, steps.csv, timing.json\n",
             attention_text_report(config, comparison), folder);
}

void run_sparse(const RunConfig& config, const Options& options, const std::string& folder) {
  const auto comparison = compare_sparse(config, options.run);
  write_results(folder, {{"summary.json", sparse_summary_json(config, comparison)},
                         {"steps.csv", sparse_steps_csv(comparison)},
                         {"timing.json", sparse_timing_json(comparison)}});
  if (options.format == "json") {
    fmt::print("{}", sparse_summary_json(config, comparison));
    return;
  }
  fmt::print("{}written: {}/summary.json, steps.csv, timing.json\n",
             sparse_text_report(config, comparison), folder);
}

void run(const Options& options) {
  const RunConfig config = load_run_config(options.source);
  const std::string folder = options.out.value_or("out/" + config.name);
  if (folder.empty()) throw InputError("--out: expected a folder, got nothing");
  OutputFile(
      (std::filesystem::path(folder) / "summary.json").string());  // fail now, not after the run
  if (config.sparse) return run_sparse(config, options, folder);
  if (config.attention) return run_attention(config, options, folder);
  const Comparison comparison = run_comparison(config, options.run);
  write_results(folder, {{"summary.json", summary_json(config, comparison)},
                         {"steps.csv", steps_csv(config, comparison)},
                         {"timing.json", timing_json(comparison)}});
  if (options.format == "json") {
    fmt::print("{}", summary_json(config, comparison));
    return;
  }
  if (!comparison.requests_report.empty()) fmt::print("{}\n", comparison.requests_report);
  fmt::print("{}written: {}/summary.json, steps.csv, timing.json\n",
             text_report(config, comparison), folder);
}

}  // namespace

void declare_run(CLI::App& app, int&) {
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
  app.add_option("--commands", options->run.commands_file,
                 "also write every DRAM and PIM command to this CSV file");
  app.footer(
      "Examples:\n  lockstep run configs/main-job.yaml\n"
      "  lockstep run configs/attention-gqa4.yaml --set attention.queries_per_column=4\n"
      "  lockstep run configs/main-job.yaml --set kv.block_tokens=32 --set 'kv.policies=[region, "
      "contiguous]'\n"
      "  lockstep run configs/main-job.yaml --requests trace.csv --set replay.max_requests=2000");
  app.callback([options] { run(*options); });
}

}  // namespace lockstep
