// lockstep check COMMANDS.csv CONFIG: whether a command trace keeps the rules of its stack.
#include <memory>

#include <fmt/format.h>

#include "sim/check/check_commands.h"
#include "sim/cli/command.h"
#include "sim/commands/declare.h"
#include "sim/run/run_config.h"

namespace lockstep {

void declare_check(CLI::App& app, int& exit_code) {
  struct Options {
    std::string commands;
    ConfigSource source;
    std::string format = "text";
  };
  auto options = std::make_shared<Options>();
  app.add_option("COMMANDS", options->commands, "command trace (canonical CSV)")->required();
  app.add_option("CONFIG", options->source.file,
                 "configuration of the stack it was taken from (YAML)")
      ->required();
  app.add_option("--set", options->source.overrides,
                 "override a value: path.to.key=value; repeatable")
      ->allow_extra_args(false);
  app.add_option("--format", options->format, "what is printed: text or json")
      ->check(CLI::IsMember({"text", "json"}));
  app.footer(
      "Exit code 1 if a rule is violated. The checker shares no rule with the model that wrote the "
      "trace.");
  app.callback([options, &exit_code] {
    const auto report = check_commands(options->commands, load_stack_config(options->source));
    fmt::print("{}", options->format == "json" ? json_of(report) : text_of(report));
    if (report.violations > 0) exit_code = kExitCheckFailed;
  });
}

}  // namespace lockstep
