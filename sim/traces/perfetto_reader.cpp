#include <nlohmann/json.hpp>

#include "sim/traces/trace_readers.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/input_file.h"

namespace lockstep {

void read_perfetto_trace(const std::string& path, const StackConfig& config,
                         const CommandVisitor& visit) {
  auto stream = open_input_file(path);
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(stream);
    std::int64_t events = 0;
    for (const auto& event : json.at("traceEvents")) {
      ++events;
      if (event.at("ph") != "X") continue;
      const auto& args = event.at("args");
      TracedCommand command;
      CommandRecord& record = command.record;
      command.line = events;
      record.cycle = {args.at("cycle").get<std::int64_t>()};
      command.at = instant_of(record.cycle, config.clock);
      record.channel = event.at("pid").get<int>();
      record.command = event.at("name").get_ref<const std::string&>();
      record.stack_id = args.value("stack_id", -1);
      record.bank_group = args.value("bank_group", -1);
      record.bank = args.value("bank", -1);
      record.row = args.value("row", -1);
      record.column = args.value("column", -1);
      const std::string source = args.value("source", ""), reason = args.value("blocked_by", "");
      record.source = source;
      record.blocked_by = reason;
      visit(command);
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(
        path + ": expected a trace that `--format perfetto` wrote, got: " + error.what() + "\n");
  }
}

}  // namespace lockstep
