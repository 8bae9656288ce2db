#include "sim/traces/sqlite.h"
#include "sim/traces/trace_readers.h"

namespace lockstep {

void read_tdb_trace(const std::string& path, const StackConfig& config,
                    const CommandVisitor& visit) {
  SqliteDatabase database(path, SqliteDatabase::Open::kReadOnly);
  SqliteStatement rows(database,
                       "SELECT Transact, Cycle, Channel, Command, StackId, BankGroup, Bank, Row, "
                       "Column, Source, BlockedBy FROM LockstepCommands ORDER BY Transact");
  while (rows.next()) {
    TracedCommand command;
    CommandRecord& record = command.record;
    command.line = rows.number(0);
    record.cycle = {rows.number(1)};
    command.at = instant_of(record.cycle, config.clock);
    record.channel = static_cast<int>(rows.number(2));
    record.command = rows.text(3);
    record.stack_id = static_cast<int>(rows.number(4));
    record.bank_group = static_cast<int>(rows.number(5));
    record.bank = static_cast<int>(rows.number(6));
    record.row = static_cast<std::int32_t>(rows.number(7));
    record.column = static_cast<std::int32_t>(rows.number(8));
    record.source = rows.text(9);
    record.blocked_by = rows.text(10);
    visit(command);
  }
}

}  // namespace lockstep
