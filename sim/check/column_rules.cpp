// The rules of commands on the column bus: reads, writes, MACs and moves.
#include <algorithm>

#include <fmt/format.h>

#include "sim/check/domain_checker.h"

namespace lockstep {

// Every bank reached has the row open that the command names, long enough. A MAC reads one row in
// all its banks; a trace that does not name it is held to that of its first bank.
void DomainChecker::check_open(const CheckedCommand& command, const Footprint& at,
                               Findings& findings) {
  const bool writes = traits(command.op).deed == Deed::kWrite;
  const std::int32_t first_row = bank_history_[static_cast<std::size_t>(at.banks.first)].row;
  const auto name = traits(command.op).name;
  for_each(bank_history_, at.banks, [&](const BankHistory& bank) {
    if (buffers(command.op) && command.row >= 0 && bank.buffered == command.row) return;
    if (bank.row == BankHistory::kClosed) {
      findings.breach(Rule::kRowClosed, fmt::format("{} reaches a bank without an open row", name),
                      bank.closed.line);
      return;
    }
    if (bank.row != first_row) {
      findings.breach(Rule::kMixedRows,
                      fmt::format("{} finds rows {} and {} open", name, first_row, bank.row),
                      bank.opened.line);
    } else if (command.row >= 0 && bank.row != command.row) {
      findings.breach(
          Rule::kWrongRow,
          fmt::format("{} wants row {}, open is row {} since {} (line {})", name, command.row,
                      bank.row, traits(bank.opened.op).name, bank.opened.line),
          bank.opened.line);
    }
    if (writes) {
      findings.keep(Rule::kRCDWR, dram_.nRCDWR.count, bank.opened);
    } else {
      findings.keep(Rule::kRCDRD, dram_.nRCDRD.count, bank.opened);
    }
  });
}

void DomainChecker::check_read(const CheckedCommand& command, const Footprint& at,
                               Findings& findings) {
  const auto& channel = channels_[static_cast<std::size_t>(at.pseudo_channels.first)];
  findings.keep(Rule::kCCDS, dram_.nCCDS.count, channel.read);
  findings.keep(Rule::kCCDS, dram_.nCCDS.count, channel.moved);
  findings.keep(Rule::kWTRS, write_data_end() + dram_.nWTRS.count, channel.written);
  const auto& group = groups_[static_cast<std::size_t>(at.groups.first)];
  findings.keep(Rule::kCCDL, dram_.nCCDL.count, group.read);
  findings.keep(Rule::kCCDL, dram_.nCCDL.count, group.mac);
  findings.keep(Rule::kCCDL, dram_.nCCDL.count, group.moved);
  findings.keep(Rule::kWTRL, write_data_end() + dram_.nWTRL.count, group.written);
  for (int id = 0; id < stack_ids_; ++id) {
    const int sid = command.pseudo_channel * stack_ids_ + id;
    if (id != command.stack_id)
      findings.keep(Rule::kCCDR, dram_.nCCDR.count, sids_[static_cast<std::size_t>(sid)].read);
  }
}

// Read data ends nCL + nBL after RD; nRTW idle clocks of the bus later write data may begin, nCWL
// after its WR.
void DomainChecker::check_write(const Footprint& at, Findings& findings) {
  const auto& channel = channels_[static_cast<std::size_t>(at.pseudo_channels.first)];
  findings.keep(Rule::kCCDS, dram_.nCCDS.count, channel.written);
  findings.keep(Rule::kCCDS, dram_.nCCDS.count, channel.moved);
  findings.keep(Rule::kRTW, (dram_.nCL + dram_.nBL + dram_.nRTW - dram_.nCWL).count, channel.read);
  const auto& group = groups_[static_cast<std::size_t>(at.groups.first)];
  findings.keep(Rule::kCCDL, dram_.nCCDL.count, group.written);
  findings.keep(Rule::kCCDL, dram_.nCCDL.count, group.mac);
  findings.keep(Rule::kCCDL, dram_.nCCDL.count, group.moved);
}

// Half of the banks draw half of the power: their commands may be half as far apart, though not
// those of the same half.
void DomainChecker::check_mac(const CheckedCommand& command, const Footprint& at,
                              Findings& findings) {
  const bool of_halves = halves() > 1 && command.op == Op::kMacAb && mac_.op == Op::kMacAb;
  if (of_halves) {
    findings.keep(Rule::kCCDAB, (dram_.nCCDAB.count + 1) / 2, mac_);
  } else if (mac_.op == Op::kMacAb) {
    findings.keep(Rule::kCCDAB, dram_.nCCDAB.count, mac_);
  } else {
    findings.keep(Rule::kCCDSB, dram_.nCCDSB.count, mac_);
  }
  for_each(groups_, at.groups, [&](const GroupHistory& group) {
    findings.keep(Rule::kCCDL, dram_.nCCDL.count, group.read);
    if (of_halves) findings.keep(Rule::kCCDL, dram_.nCCDL.count, group.mac);
    findings.keep(Rule::kWTRL, write_data_end() + dram_.nWTRL.count, group.written);
  });
  findings.keep(Rule::kMoveLatency, pim_.n_move_latency.count, supplied_);
}

// Moves occupy the bus of the pseudo channel as reads and writes do, and keep their distances.
void DomainChecker::check_move(const CheckedCommand& command, const Footprint& at,
                               Findings& findings) {
  const auto& channel = channels_[static_cast<std::size_t>(at.pseudo_channels.first)];
  for (const Stamp* stamp : {&channel.read, &channel.written, &channel.moved}) {
    findings.keep(Rule::kCCDS, dram_.nCCDS.count, *stamp);
  }
  for_each(groups_, at.groups, [&](const GroupHistory& group) {
    for (const Stamp* stamp : {&group.read, &group.written, &group.moved}) {
      findings.keep(Rule::kCCDL, dram_.nCCDL.count, *stamp);
    }
  });
  if (command.op == Op::kMvSb) findings.keep(Rule::kUnitLatency, pim_.n_mac_latency.count, mac_);
}

// Reported only where no distance between the commands tells it already.
void DomainChecker::check_data_bus(const CheckedCommand& command, const Footprint& at,
                                   Findings& findings) {
  const auto& channel = channels_[static_cast<std::size_t>(at.pseudo_channels.first)];
  const bool reads = traits(command.op).deed == Deed::kRead;
  const std::int64_t latency = (reads ? dram_.nCL : dram_.nCWL).count;
  if (command.cycle + latency >= channel.data_end || findings.any_now()) return;
  findings.keep(Rule::kDataBus, channel.data_end - latency - channel.burst.cycle, channel.burst);
}

void DomainChecker::note_read(const CheckedCommand& command, const Footprint& at,
                              const Stamp& stamp) {
  auto& bank = bank_history_[static_cast<std::size_t>(at.banks.first)];
  auto& channel = channels_[static_cast<std::size_t>(at.pseudo_channels.first)];
  bank.read = stamp;
  groups_[static_cast<std::size_t>(at.groups.first)].read = stamp;
  sids_[static_cast<std::size_t>(at.sids.first)].read = stamp;
  channel.read = stamp;
  channel.burst = stamp;
  channel.data_end = command.cycle + (dram_.nCL + dram_.nBL).count;
  if (command.op == Op::kRda) close_after(bank, command, dram_.nRTP.count);
}

void DomainChecker::note_write(const CheckedCommand& command, const Footprint& at,
                               const Stamp& stamp) {
  auto& bank = bank_history_[static_cast<std::size_t>(at.banks.first)];
  auto& channel = channels_[static_cast<std::size_t>(at.pseudo_channels.first)];
  bank.written = stamp;
  groups_[static_cast<std::size_t>(at.groups.first)].written = stamp;
  channel.written = stamp;
  channel.burst = stamp;
  channel.data_end = command.cycle + write_data_end();
  if (command.op == Op::kWra) close_after(bank, command, write_data_end() + dram_.nWR.count);
}

// The precharge inside RDA or WRA begins after `clocks`, and not before nRAS is over.
void DomainChecker::close_after(BankHistory& bank, const CheckedCommand& command,
                                std::int64_t clocks) {
  const std::int64_t row_may_close = bank.opened.cycle + bank.opened.delay + dram_.nRAS.count;
  bank.row = BankHistory::kClosed;
  bank.closed = {command.cycle, command.line, std::max(clocks, row_may_close - command.cycle),
                 command.op};
}

// The first MACab of a row takes it to the second row buffer, and leaves the bank to the next row.
void DomainChecker::note_mac(const CheckedCommand& command, const Footprint& at,
                             const Stamp& stamp) {
  mac_ = stamp;
  for_each(bank_history_, at.banks, [&](BankHistory& bank) {
    if (buffers(command.op)) {
      bank.buffered = command.row >= 0 ? command.row : bank.row;
    } else {
      bank.read = stamp;
    }
  });
  for_each(groups_, at.groups, [&](GroupHistory& group) { group.mac = stamp; });
}

void DomainChecker::note_move(const CheckedCommand& command, const Footprint& at,
                              const Stamp& stamp) {
  for_each(groups_, at.groups, [&](GroupHistory& group) { group.moved = stamp; });
  channels_[static_cast<std::size_t>(at.pseudo_channels.first)].moved = stamp;
  (command.op == Op::kMvSb ? drained_ : supplied_) = stamp;
}

}  // namespace lockstep
