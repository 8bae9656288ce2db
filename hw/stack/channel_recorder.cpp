#include "hw/stack/channel_recorder.h"

namespace lockstep {

void ChannelRecorder::on_commands(const IssuedCommands& issued) {
  const auto& command = traits(issued.cmd);
  CommandRecord record;
  record.cycle = issued.first;
  const Location at = config_.location(domain_, issued.at);
  record.channel = at.channel;
  record.command = command.name;
  const bool one_bank = command.scope == Scope::kBank;
  if (one_bank || command.scope == Scope::kSameBank) {
    record.stack_id = at.stack_id;
    record.bank = at.bank;
  }
  if (command.scope == Scope::kLockstep) record.stack_id = at.stack_id;
  // Of half the banks: the first bank group of the half.
  const bool of_half = command.scope == Scope::kLockstep || command.scope == Scope::kSameBank;
  if (one_bank || (of_half && config_.halves() > 1)) record.bank_group = at.bank_group;
  const bool has_row = command.effect == RowEffect::kOpens || command.needs == Needs::kRowOpen;
  if (has_row) record.row = issued.row;
  record.source = kSources[static_cast<std::size_t>(issued.source)];
  record.blocked_by = reason_name(issued.reason);
  for (std::int64_t i = 0; i < issued.count; ++i) {
    if (command.needs == Needs::kRowOpen) record.column = issued.column_of(i);
    sink_.record(record);
    record.cycle += issued.spacing;
    record.blocked_by = reason_name(issued.spacing_reason);
  }
}

}  // namespace lockstep
