// Readers of the traces that are a line a command.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "firmware/workload/fields.h"
#include "hw/channel/command_observer.h"
#include "sim/traces/command_csv_reader.h"
#include "sim/traces/command_names.h"
#include "sim/traces/field_line.h"
#include "sim/traces/trace_readers.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/input_file.h"

namespace lockstep {
namespace {

// The record's command is the one that the format calls fields[i].
void set_command(CommandRecord& record, FieldLines& fields, std::size_t i,
                 std::string_view CommandNames::*format) {
  const auto row = std::find_if(kCommandNames.begin(), kCommandNames.end(),
                                [&](const auto& names) { return names.*format == fields[i]; });
  if (row == kCommandNames.end()) return fields.fault(i, "command", "a command of this format");
  record.command = traits(row->cmd).name;
}

void require_fields(const FieldLines& fields, const std::string& path, std::size_t count) {
  if (fields.count() == count) return;
  throw InputError(fmt::format("{}:{}:1: expected {} fields, got {}: `{}`\n", path,
                               fields.line_number(), count, fields.count(),
                               excerpt(fields.line())));
}

// Both formats begin a line with the clock and the command.
TracedCommand clock_and_name(FieldLines& fields, Hertz clock,
                             std::string_view CommandNames::*format) {
  TracedCommand command;
  command.line = fields.line_number();
  command.record.cycle = {fields.integer(0, "clock")};
  command.at = instant_of(command.record.cycle, clock);
  set_command(command.record, fields, 1, format);
  return command;
}

}  // namespace

void read_csv_trace(const std::string& path, const StackConfig&, const CommandVisitor& visit) {
  auto stream = open_input_file(path);
  CommandCsvReader reader(stream, path);
  TracedCommand command;
  while (reader.next(command)) visit(command);
  reader.finish();
}

void read_dramsim3_trace(const std::string& path, const StackConfig& config,
                         const CommandVisitor& visit) {
  constexpr std::size_t kFields = 8;
  FieldLines fields(path, ' ');
  while (fields.next()) {
    require_fields(fields, path, kFields);
    TracedCommand command = clock_and_name(fields, config.clock, &CommandNames::dramsim3);
    CommandRecord& record = command.record;
    record.channel = static_cast<int>(fields.integer(2, "channel"));
    record.stack_id = static_cast<int>(fields.integer(3, "rank"));
    record.bank_group = static_cast<int>(fields.integer(4, "bank group"));
    record.bank = static_cast<int>(fields.integer(5, "bank"));
    record.row = static_cast<std::int32_t>(fields.integer(6, "row"));
    record.column = static_cast<std::int32_t>(fields.integer(7, "column"));
    visit(command);
  }
  fields.finish();
}

void read_ramulator_trace(const std::string& path, const StackConfig& config,
                          const CommandVisitor& visit) {
  constexpr std::size_t kFields = 11;
  constexpr std::string_view kHeader =
      "clock,command,Channel,PseudoChannel,Sid,BankGroup,Bank,Row,Column,type,source";
  FieldLines fields(path, ',');
  if (!fields.next() || fields.line() != kHeader) {
    throw InputError(fmt::format("{}:1:1: expected the header `{}`, got `{}`\n", path, kHeader,
                                 excerpt(fields.line())));
  }
  while (fields.next()) {
    require_fields(fields, path, kFields);
    TracedCommand command = clock_and_name(fields, config.clock, &CommandNames::ramulator);
    CommandRecord& record = command.record;
    record.channel =
        static_cast<int>(fields.integer(2, "Channel")) * config.geometry.pseudo_channels +
        static_cast<int>(fields.integer(3, "PseudoChannel"));
    record.stack_id = static_cast<int>(fields.integer(4, "Sid"));
    record.bank_group = static_cast<int>(fields.integer(5, "BankGroup"));
    record.bank = static_cast<int>(fields.integer(6, "Bank"));
    record.row = static_cast<std::int32_t>(fields.integer(7, "Row"));
    record.column = static_cast<std::int32_t>(fields.integer(8, "Column"));
    const std::int64_t source = fields.integer(10, "source");
    if (source >= 0 && source < static_cast<std::int64_t>(kSources.size()))
      record.source = kSources[static_cast<std::size_t>(source)];
    visit(command);
  }
  fields.finish();
}

}  // namespace lockstep
