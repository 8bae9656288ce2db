// lockstep trace CONFIG --format F: every DRAM and PIM command of a run, in a format of hardware
// teams.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "configs/registry.h"
#include "configs/setting_place.h"
#include "sim/commands/declare.h"
#include "sim/run/comparison.h"
#include "sim/traces/trace_writers.h"
#include "sim/traces/windowed_trace.h"

namespace lockstep {
namespace {

struct Options {
  ConfigSource source;
  RunOptions run;
  std::string format = "csv";
  std::optional<std::string> window;
  std::optional<std::string> policy;
  std::optional<std::string> out;
};

const TraceWriter& writer_named(const std::string& name) {
  return *std::find_if(std::begin(kTraceWriters), std::end(kTraceWriters),
                       [&](const TraceWriter& writer) { return writer.name == name; });
}

void trace(const Options& options) {
  RunConfig config = load_run_config(options.source);
  config.detail = Detail::kCommand;
  const std::string policy = options.policy.value_or(config.policies.back());
  kv_policy(policy);
  const auto& writer = writer_named(options.format);
  const std::string file =
      options.out.value_or(fmt::format("{}.{}{}", config.name, policy, writer.extension));
  std::optional<TraceWindow> window;
  if (options.window) window = parse_trace_window(*options.window);

  const auto sink = writer.make(file, config.stack);
  at_places_of(config.tree, [&] {
    if (!window) return run_traced(config, options.run, policy, *sink, std::nullopt);
    WindowedTrace windowed(*sink, *window, config.stack.clock);
    run_traced(config, options.run, policy, windowed, window->to);
  });
  sink->close();
  fmt::print("written: {} ({}), policy {}\n", file, writer.description, policy);
}

}  // namespace

void declare_trace(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  std::string formats;
  for (const auto& writer : kTraceWriters) {
    formats += fmt::format("  {:<10} {}\n", writer.name, writer.description);
  }
  app.add_option("CONFIG", options->source.file, "configuration of a run (YAML)")->required();
  app.add_option("--set", options->source.overrides,
                 "override a value: path.to.key=value; repeatable")
      ->allow_extra_args(false);
  app.add_option("--format", options->format, "format of the trace (below)")
      ->check(CLI::IsMember(names_of(kTraceWriters)));
  app.add_option("--window", options->window,
                 "only commands of this time: 10us:12us; the run ends there");
  app.add_option("--policy", options->policy, "whose run (default: the last of the configuration)");
  app.add_option("--requests", options->run.requests_file,
                 "replay this request trace instead of the workload");
  app.add_option("--out", options->out,
                 "file to write (default: NAME.POLICY with the format's extension)");
  app.footer("Formats:\n" + formats +
             "Example:\n  lockstep trace configs/main-job.yaml --format perfetto --window "
             "10us:12us --out trace.json");
  app.callback([options] { trace(*options); });
}

}  // namespace lockstep
