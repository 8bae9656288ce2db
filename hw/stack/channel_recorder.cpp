#include "hw/stack/channel_recorder.h"

#include <cstring>

#include "hw/channel/host_queue.h"
#include "hw/channel/pim_queue.h"

namespace lockstep {
namespace {

// What the first of the commands brings to the banks.
bool brought_data(const IssuedCommands& issued, Column& data) {
  if (issued.request != nullptr) {
    const HostRequest& request = *issued.request;
    const bool writes = issued.cmd == Cmd::WR || issued.cmd == Cmd::WRA;
    if (!writes || request.data == nullptr || request.bytes != sizeof data) return false;
    std::memcpy(data.data(), request.data, sizeof data);
    return true;
  }
  if (issued.cmd != Cmd::WRGB || issued.kernel == nullptr || issued.kernel->data == nullptr)
    return false;
  const auto& pass = issued.kernel->data->at(static_cast<std::size_t>(issued.run->pass));
  const auto burst = issued.run->first_burst + issued.run_position / issued.run->spread;
  data = pass.operands.at(static_cast<std::size_t>(burst));
  return true;
}

}  // namespace

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
  Column data;
  if (brought_data(issued, data)) record.data = &data;
  for (std::int64_t i = 0; i < issued.count; ++i) {
    if (command.needs == Needs::kRowOpen) record.column = issued.column_of(i);
    sink_.record(record);
    record.cycle += issued.spacing;
    record.blocked_by = reason_name(issued.spacing_reason);
  }
}

}  // namespace lockstep
