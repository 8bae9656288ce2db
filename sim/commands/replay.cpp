// lockstep replay STREAM.csv CONFIG: how long a stack takes for a request stream, and why.
#include "sim/replay/replay.h"

#include <memory>

#include <fmt/format.h>

#include "sim/commands/declare.h"
#include "sim/run/output_file.h"
#include "sim/run/run_config.h"
#include "tlm/contract/command_csv.h"

namespace lockstep {

void declare_replay(CLI::App& app, int&) {
  struct Options {
    std::string stream;
    ConfigSource source;
    std::optional<std::string> commands;
  };
  auto options = std::make_shared<Options>();
  app.add_option("STREAM", options->stream, "requests: op,pseudo_channel,bank,row,col[,arrival]")
      ->required();
  app.add_option("CONFIG", options->source.file, "configuration of a stack (YAML)")->required();
  app.add_option("--set", options->source.overrides,
                 "override a value: path.to.key=value; repeatable")
      ->allow_extra_args(false);
  app.add_option("--commands", options->commands, "write the issued commands to this CSV file");
  app.footer(
      "Operations: LD, ST, PIM_MAC_AB, PIM_MAC_SB, PIM_WR_GB, PIM_MV_SB, PIM_MV_GB, PIM_SFM, "
      "PIM_BARRIER.\n"
      "With a column `arrival` (clocks CK, never less than in the line before) each waits for its "
      "clock.\nWithout it all arrive at clock 0: LD and ST in their order, PIM operations in "
      "theirs, and\n`controller.arbitration` decides between the two.\n"
      "Example:\n  lockstep replay stream.csv configs/attacc-hbm3-5.2gbps.yaml --commands "
      "commands.csv");
  app.callback([options] {
    const StackConfig config = load_stack_config(options->source);
    const RequestStream stream = read_request_stream(options->stream, config);
    std::unique_ptr<OutputFile> file;
    std::unique_ptr<CommandCsv> csv;
    if (options->commands) {
      file = std::make_unique<OutputFile>(*options->commands);
      csv = std::make_unique<CommandCsv>(file->stream(), config.clock);
    }
    const ReplayResult result = replay_stream(stream, config, csv.get());
    csv.reset();
    if (file) file->keep();
    fmt::print("{}", replay_json(result, config));
  });
}

}  // namespace lockstep
