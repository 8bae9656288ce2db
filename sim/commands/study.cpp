// lockstep study kv|attention|dsa: a study's cells as tables, files and charts; those of kv beside
// their published values.
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/commands/declare.h"
#include "sim/run/output_file.h"
#include "sim/study/attention_study.h"
#include "sim/study/dsa_study.h"
#include "sim/study/study_report.h"

namespace lockstep {
namespace {

struct Options {
  StudyOptions study;
  std::string requests_folder;
  std::string out = "out/study-kv";
  bool quick = false;
};

void write_results(const std::string& folder, NamedTexts files, NamedTexts charts) {
  for (auto& chart : charts) files.push_back(std::move(chart));
  write_files(folder, files);
}

int run(Options options) {
  options.study.extent = options.quick ? Extent::kQuick : Extent::kFull;
  options.study.requests_folder = options.requests_folder;
  if (options.requests_folder.empty()) {
    const auto configs = std::filesystem::path(options.study.config_file).parent_path();
    options.study.requests_folder = (configs / "../tests/data/requests").string();
  }
  OutputFile((std::filesystem::path(options.out) / "summary.json").string());  // fail now
  const Study study = run_study(options.study);
  write_results(options.out,
                {{"cells.csv", study_csv(study)},
                 {"summary.json", study_json(study)},
                 {"report.md", study_markdown(study)}},
                study_charts(study));
  fmt::print("{}written: {}/report.md, cells.csv, summary.json, charts\n", study_text(study),
             options.out);
  return study.missed().empty() ? kExitDone : kExitCheckFailed;
}

void declare_kv(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto& study = options->study;
  study.config_file = "configs/study-kv.yaml";
  study.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  app.add_option("--config", study.config_file,
                 "what all cells begin with (default: configs/study-kv.yaml)");
  app.add_flag("--quick", options->quick,
               "cycles of fewer steps and 200 requests of a trace: under a minute");
  app.add_option("--part", study.parts, "this part alone; repeatable")->allow_extra_args(false);
  app.add_option("--jobs", study.jobs, "threads; the results do not depend on it")
      ->check(CLI::Range(1, 256));
  app.add_option("--out", options->out, "folder of the results (default: out/study-kv)");
  app.add_option("--requests-dir", options->requests_folder,
                 "folder of the study's request files (default: ../tests/data/requests beside the "
                 "configuration)");
  app.add_option("--traces", study.traces_folder,
                 "folder of the public traces; without it their part is skipped");
  app.footer(
      "Exit code 1 if a published value is missed; the cells are named.\n"
      "Examples:\n  lockstep study kv --quick\n  lockstep study kv --part headline --part spec");
  app.callback([options, &exit_code] { exit_code = run(*options); });
}

struct AttentionOptions {
  AttentionStudyOptions study;
  std::string out = "out/study-attention";
  bool quick = false;
};

void run_attention(AttentionOptions options) {
  options.study.extent = options.quick ? Extent::kQuick : Extent::kFull;
  OutputFile((std::filesystem::path(options.out) / "summary.json").string());  // fail now
  const auto study = run_attention_study(options.study);
  const auto report = attention_study_markdown(study);
  write_files(options.out, {{"cells.csv", attention_study_csv(study)},
                            {"summary.json", attention_study_json(study)},
                            {"report.md", report}});
  fmt::print("{}\nwritten: {}/report.md, cells.csv, summary.json\n", report, options.out);
}

void declare_attention(CLI::App& app) {
  auto options = std::make_shared<AttentionOptions>();
  auto& study = options->study;
  study.config_file = "configs/attention-gqa4.yaml";
  study.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  app.add_option("--config", study.config_file,
                 "what all cells begin with (default: configs/attention-gqa4.yaml)");
  app.add_flag("--quick", options->quick, "cycles of fewer steps");
  app.add_option("--jobs", study.jobs, "threads; the results do not depend on it")
      ->check(CLI::Range(1, 256));
  app.add_option("--out", options->out, "folder of the results (default: out/study-attention)");
  app.footer("Example:\n  lockstep study attention --quick");
  app.callback([options] { run_attention(*options); });
}

void run_dsa(Options options) {
  options.study.extent = options.quick ? Extent::kQuick : Extent::kFull;
  OutputFile((std::filesystem::path(options.out) / "summary.json").string());  // fail now
  const DsaStudy study = run_dsa_study(options.study);
  write_results(options.out,
                {{"cells.csv", dsa_csv(study)},
                 {"summary.json", dsa_json(study)},
                 {"report.md", dsa_markdown(study)}},
                dsa_charts(study));
  fmt::print("{}written: {}/report.md, cells.csv, summary.json, charts\n", dsa_text(study),
             options.out);
}

void declare_dsa_study(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto& study = options->study;
  options->out = "out/study-dsa";
  study.config_file = "configs/study-dsa.yaml";
  study.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  app.add_option("--config", study.config_file,
                 "what all cells begin with (default: configs/study-dsa.yaml)");
  app.add_flag("--quick", options->quick, "three tokens of one layer a cell");
  app.add_option("--part", study.parts, "this part alone; repeatable")->allow_extra_args(false);
  app.add_option("--jobs", study.jobs, "threads; the results do not depend on it")
      ->check(CLI::Range(1, 256));
  app.add_option("--out", options->out, "folder of the results (default: out/study-dsa)");
  app.footer(
      "Examples:\n  lockstep study dsa --quick\n  lockstep study dsa --part ablation --part rows");
  app.callback([options] { run_dsa(*options); });
}

}  // namespace

void declare_study(CLI::App& app, int& exit_code) {
  app.require_subcommand(1);
  declare_kv(*app.add_subcommand("kv", "placement of the KV cache"), exit_code);
  declare_attention(*app.add_subcommand(
      "attention", "placement gain by GQA group, queries a column and all-bank scope"));
  declare_dsa_study(*app.add_subcommand("dsa", "sparse attention on the stack"));
}

}  // namespace lockstep
