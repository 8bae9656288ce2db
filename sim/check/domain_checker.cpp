#include "sim/check/domain_checker.h"

#include <fmt/format.h>

namespace lockstep {

DomainChecker::DomainChecker(const StackConfig& config, int domain)
    : dram_(config.controller.timing.dram),
      pim_(config.controller.timing.pim),
      all_bank_scope_(config.all_bank_scope),
      stack_id_scope_(config.stack_id_scope),
      pseudo_channels_(config.channels_per_domain()),
      stack_ids_(config.geometry.stack_ids),
      bank_groups_(config.geometry.bank_groups),
      banks_(config.geometry.banks) {
  const auto pseudo_channels = static_cast<std::size_t>(pseudo_channels_);
  const auto sids = pseudo_channels * static_cast<std::size_t>(stack_ids_);
  const auto groups = sids * static_cast<std::size_t>(bank_groups_);
  bank_history_.resize(groups * static_cast<std::size_t>(banks_));
  groups_.resize(groups);
  sids_.resize(sids);
  channels_.resize(pseudo_channels);
  for (int c = 0; c < pseudo_channels_; ++c) {
    ledgers_.emplace_back(config, domain * pseudo_channels_ + c);
  }
}

void DomainChecker::check(const CheckedCommand& command, Findings& findings) {
  const Footprint at = footprint(command);
  findings.begin(command);
  if (command.cycle < last_cycle_) {
    findings.breach(Rule::kOrder,
                    fmt::format("{} is at cycle {}, the command before it (line {}) at {}",
                                traits(command.op).name, command.cycle, last_line_, last_cycle_),
                    last_line_);
  } else {
    check_buses(command, at, findings);
    check_mode(command, findings);
    check_deed(command, at, findings);
    for_each(ledgers_, at.pseudo_channels,
             [&](auto& ledger) { ledger.at(command.cycle, findings); });
  }
  note(command, at, findings);
  findings.end();
}

void DomainChecker::finish(std::int64_t line, std::int64_t cycle, Findings& findings) {
  if (last_line_ == 0) return;  // not in the trace
  CheckedCommand end;
  end.line = line;
  end.cycle = cycle;
  findings.begin(end);
  for (auto& ledger : ledgers_) ledger.finish(cycle, findings);
  findings.end();
}

Footprint DomainChecker::footprint(const CheckedCommand& command) const {
  const int banks_of_sid = bank_groups_ * banks_;
  const int sid = sid_index(command);
  const auto sids_from = [&](int first, int count, int pseudo_channels) {
    return Footprint{{first * banks_of_sid, count * banks_of_sid},
                     {first * bank_groups_, count * bank_groups_},
                     {first, count},
                     {first / stack_ids_, pseudo_channels}};
  };
  switch (traits(command.op).reach) {
    case Reach::kBank: {
      const int group = sid * bank_groups_ + command.bank_group;
      return {
          {group * banks_ + command.bank, 1}, {group, 1}, {sid, 1}, {command.pseudo_channel, 1}};
    }
    case Reach::kSameBank: {
      const Footprint half = half_of(command);
      return {{half.banks.first + command.bank, half.groups.count, banks_},
              half.groups,
              half.sids,
              half.pseudo_channels};
    }
    case Reach::kPseudoChannel:
      return sids_from(command.pseudo_channel * stack_ids_, stack_ids_, 1);
    case Reach::kLockstep:
      if (halves() > 1) return half_of(command);
      if (stack_id_scope_ == StackIdScope::kOne) return sids_from(sid, 1, 1);
      if (all_bank_scope_ == AllBankScope::kPseudoChannel)
        return sids_from(command.pseudo_channel * stack_ids_, stack_ids_, 1);
      return sids_from(0, pseudo_channels_ * stack_ids_, pseudo_channels_);
    case Reach::kNone: {
      const bool has_group = command.bank_group >= 0;
      return {{0, 0},
              {sid * bank_groups_ + (has_group ? command.bank_group : 0), has_group ? 1 : 0},
              {sid, 1},
              {command.pseudo_channel, 1}};
    }
  }
  return {};
}

// The half of its SID that a command works on; all of it where there are no halves.
Footprint DomainChecker::half_of(const CheckedCommand& command) const {
  const int sid = sid_index(command);
  const int groups = bank_groups_ / halves();
  const int half = halves() > 1 ? command.bank_group / groups : 0;
  const int first = sid * bank_groups_ + half * groups;
  return {
      {first * banks_, groups * banks_}, {first, groups}, {sid, 1}, {command.pseudo_channel, 1}};
}

void DomainChecker::check_buses(const CheckedCommand& command, const Footprint& at,
                                Findings& findings) {
  for_each(channels_, at.pseudo_channels, [&](const auto& channel) {
    if (uses_row_bus(command.op)) {
      findings.keep(Rule::kRowSlot, 1, channel.row_bus);
    } else {
      findings.keep(Rule::kColumnSlot, 1, channel.column_bus);
    }
  });
}

void DomainChecker::check_mode(const CheckedCommand& command, Findings& findings) {
  using Side = CheckedCommand::Side;
  const std::int64_t clocks = pim_.n_mode_switch.count;
  if (command.side == Side::kHost) findings.keep(Rule::kModeSwitch, clocks, last_of_pim_);
  if (command.side == Side::kPim) findings.keep(Rule::kModeSwitch, clocks, last_of_host_);
}

void DomainChecker::check_deed(const CheckedCommand& command, const Footprint& at,
                               Findings& findings) {
  switch (traits(command.op).deed) {
    case Deed::kActivate:
      return check_activate(command, at, findings);
    case Deed::kPrecharge:
      return check_precharge(at, findings);
    case Deed::kRefresh:
      return check_refresh(command, at, findings);
    case Deed::kRead:
      check_open(command, at, findings);
      check_read(command, at, findings);
      return check_data_bus(command, at, findings);
    case Deed::kWrite:
      check_open(command, at, findings);
      check_write(at, findings);
      return check_data_bus(command, at, findings);
    case Deed::kMac:
      check_open(command, at, findings);
      return check_mac(command, at, findings);
    case Deed::kMove:
      return check_move(command, at, findings);
    case Deed::kSoftmax:
      return findings.keep(Rule::kSoftmaxInputs, pim_.n_move_latency.count, drained_);
  }
}

void DomainChecker::note(const CheckedCommand& command, const Footprint& at, Findings& findings) {
  const Stamp stamp{command.cycle, command.line, 0, command.op};
  for_each(channels_, at.pseudo_channels, [&](auto& channel) {
    (uses_row_bus(command.op) ? channel.row_bus : channel.column_bus) = stamp;
  });
  if (command.side == CheckedCommand::Side::kHost) last_of_host_ = stamp;
  if (command.side == CheckedCommand::Side::kPim) last_of_pim_ = stamp;
  last_cycle_ = command.cycle;
  last_line_ = command.line;
  switch (traits(command.op).deed) {
    case Deed::kActivate:
      return note_activate(command, at, stamp);
    case Deed::kPrecharge:
      return note_precharge(at, stamp);
    case Deed::kRefresh:
      return note_refresh(command, at, stamp, findings);
    case Deed::kRead:
      return note_read(command, at, stamp);
    case Deed::kWrite:
      return note_write(command, at, stamp);
    case Deed::kMac:
      return note_mac(command, at, stamp);
    case Deed::kMove:
      return note_move(command, at, stamp);
    case Deed::kSoftmax:
      return;
  }
}

}  // namespace lockstep
