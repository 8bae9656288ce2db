// lockstep dsa predict|stats|calibrate: the block predictor of sparse attention on recorded scores.
#include <memory>

#include <fmt/format.h>

#include "firmware/dsa/reference.h"
#include "firmware/dsa/trace_files.h"
#include "firmware/dsa/trace_report.h"
#include "sim/commands/declare.h"
#include "tlm/contract/input_file.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

// A subcommand that reads a trace, makes JSON of it and prints that, or its text.
void declare_report(CLI::App& app, const char* name, const char* summary,
                    Json (*make)(const ScoreTrace&), std::string (*text)(const Json&)) {
  struct Options {
    std::string trace;
    std::string format = "text";
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(name, summary);
  command->add_option("TRACE", options->trace, "folder of a dsa-trace/1 score trace")->required();
  command->add_option("--format", options->format, "what is printed: text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->callback([options, make, text] {
    const Json json = make(read_score_trace(options->trace));
    fmt::print("{}", options->format == "json" ? json.dump(2) + "\n" : text(json));
  });
}

Json stats_of(const ScoreTrace& trace) {
  return dsa_stats(trace, study_report_options());
}
Json calibration_of(const ScoreTrace& trace) {
  return dsa_calibration(trace, CalibrationWeights::kClippedAtZero);
}

}  // namespace

void declare_dsa(CLI::App& app, int&) {
  app.require_subcommand(1);
  auto file = std::make_shared<std::string>();
  auto* predict =
      app.add_subcommand("predict", "repeat a predictor reference with our own results");
  predict->add_option("REFERENCE", *file, "JSON file with scores and settings")->required();
  predict->callback([file] { fmt::print("{}", predict_reference(read_input_file(*file), *file)); });
  declare_report(app, "stats", "overlap, reuse and regions of a score trace", stats_of,
                 dsa_stats_text);
  declare_report(app, "calibrate", "the predictor's parameters for a score trace", calibration_of,
                 dsa_calibration_text);
}

}  // namespace lockstep
