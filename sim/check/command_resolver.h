// From a line of a trace to a command of a stack: known by name, and within the geometry.
#pragma once

#include "hw/stack/stack_config.h"
#include "sim/check/trace_command.h"
#include "sim/traces/command_csv_reader.h"

namespace lockstep {

class CommandResolver {
 public:
  // What is wrong with a line is told to `reader`, which outlives the resolver.
  CommandResolver(const StackConfig& config, CommandCsvReader& reader);

  // False if the line is no command of this stack.
  bool resolve(const TracedCommand& traced, CheckedCommand& command);

 private:
  bool within(CsvColumn column, std::int64_t value, int count);
  bool resolve_bank(const CommandRecord& record, CheckedCommand& command);
  bool resolve_row(const CommandRecord& record, CheckedCommand& command);

  const StackConfig& config_;
  CommandCsvReader& reader_;
};

}  // namespace lockstep
