// lockstep config CONFIG: checks a configuration and prints it resolved.
#include <memory>

#include <fmt/format.h>

#include "sim/commands/declare.h"
#include "sim/run/run_config.h"

namespace lockstep {

void declare_config(CLI::App& app, int&) {
  struct Options {
    ConfigSource source;
    bool check_only = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("CONFIG", options->source.file, "configuration file (YAML)")->required();
  app.add_option("--set", options->source.overrides,
                 "override a value: path.to.key=value; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--check", options->check_only, "only say whether it is valid");
  app.callback([options] {
    const auto resolved = resolve_config(options->source);
    if (options->check_only) {
      fmt::print("{}: valid, config_hash {}\n", options->source.file, resolved.hash);
    } else {
      fmt::print("# config_hash: {}\n{}", resolved.hash, resolved.text);
    }
  });
}

}  // namespace lockstep
