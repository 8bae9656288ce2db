// The rules of commands on the row bus: activation, precharge, refresh.
#include <fmt/format.h>

#include "sim/check/domain_checker.h"

namespace lockstep {
namespace {

std::string open_already(Op op, const BankHistory& bank) {
  return fmt::format("{} reaches a bank that has row {} open since {} (line {})", traits(op).name,
                     bank.row, traits(bank.opened.op).name, bank.opened.line);
}

}  // namespace

// The four current pulses that nFAW allows in one window, then the next four, and so on, in each
// SID on its own (docs/model.md, activation of all banks). Which bank opens when is not defined, so
// every bank counts from the last window.
std::int64_t DomainChecker::stagger() const {
  constexpr int kActivationsInWindow = 4;
  if (pim_.act_ab == ActAbPower::kSimultaneous) return 0;
  const int banks = bank_groups_ * banks_ / halves();
  const int windows = (banks + kActivationsInWindow - 1) / kActivationsInWindow;
  return (windows - 1) * dram_.nFAW.count;
}

// An activation and a refresh both need banks that are closed and have recovered.
void DomainChecker::check_idle_banks(Op op, Rule if_open, const Footprint& at, Findings& findings) {
  for_each(bank_history_, at.banks, [&](const BankHistory& bank) {
    if (bank.row != BankHistory::kClosed)
      findings.breach(if_open, open_already(op, bank), bank.opened.line);
    findings.keep(Rule::kRC, dram_.nRC.count, bank.opened);
    findings.keep(Rule::kRP, dram_.nRP.count, bank.closed);
    findings.keep(Rule::kRFCpb, dram_.nRFCpb.count, bank.refreshed);
  });
}

void DomainChecker::check_activate(const CheckedCommand& command, const Footprint& at,
                                   Findings& findings) {
  check_idle_banks(command.op, Rule::kBankOpen, at, findings);
  for_each(groups_, at.groups, [&](const GroupHistory& group) {
    findings.keep(Rule::kRRDL, dram_.nRRDL.count, group.opened);
  });
  for_each(sids_, at.sids, [&](const SidHistory& sid) {
    findings.keep(Rule::kRREFD, dram_.nRREFD.count, sid.refreshed);
    const bool limited = command.op != Op::kActAb || pim_.act_ab == ActAbPower::kStaggered;
    const int at_once = command.op == Op::kAct ? 1 : bank_groups_ / halves();
    if (limited) findings.keep(Rule::kFAW, dram_.nFAW.count, sid.window.before(at_once));
  });
  for_each(channels_, at.pseudo_channels, [&](const PseudoChannelHistory& channel) {
    findings.keep(Rule::kRRDS, dram_.nRRDS.count, channel.opened);
    findings.keep(Rule::kRFC, dram_.nRFC.count, channel.refreshed);
  });
}

// Four banks at once are what ACTab is exempt from nRRD for: that distance counts from the command,
// those of the banks and of nFAW from its last window.
void DomainChecker::note_activate(const CheckedCommand& command, const Footprint& at,
                                  const Stamp& stamp) {
  const bool all_banks = command.op == Op::kActAb;
  Stamp last = stamp;
  if (all_banks) last.delay = stagger();
  for_each(bank_history_, at.banks, [&](BankHistory& bank) {
    bank.row = command.row;
    bank.opened = last;
  });
  for_each(groups_, at.groups, [&](GroupHistory& group) { group.opened = stamp; });
  for_each(sids_, at.sids, [&](SidHistory& sid) {
    sid.opened = stamp;
    const bool limited = !all_banks || pim_.act_ab == ActAbPower::kStaggered;
    if (limited) sid.window.add(last, command.op == Op::kAct ? 1 : at.groups.count);
  });
  for_each(channels_, at.pseudo_channels, [&](auto& channel) { channel.opened = stamp; });
}

// A bank that is closed, or being closed, is left alone by a precharge: only an open one has to be
// ready for it.
void DomainChecker::check_precharge(const Footprint& at, Findings& findings) {
  for_each(bank_history_, at.banks, [&](const BankHistory& bank) {
    if (bank.row == BankHistory::kClosed) return;
    findings.keep(Rule::kRAS, dram_.nRAS.count, bank.opened);
    findings.keep(Rule::kRTP, dram_.nRTP.count, bank.read);
    findings.keep(Rule::kWR, write_data_end() + dram_.nWR.count, bank.written);
  });
}

// Yet the last precharge command is the one that nRP counts from, also in a closed bank.
void DomainChecker::note_precharge(const Footprint& at, const Stamp& stamp) {
  for_each(bank_history_, at.banks, [&](BankHistory& bank) {
    bank.row = BankHistory::kClosed;
    if (bank.closed.cycle + bank.closed.delay < stamp.cycle) bank.closed = stamp;
  });
}

void DomainChecker::check_refresh(const CheckedCommand& command, const Footprint& at,
                                  Findings& findings) {
  check_idle_banks(command.op, Rule::kRefreshOpen, at, findings);
  for_each(channels_, at.pseudo_channels, [&](const PseudoChannelHistory& channel) {
    findings.keep(Rule::kRFC, dram_.nRFC.count, channel.refreshed);
  });
  if (command.op == Op::kRefAb) return;
  for_each(sids_, at.sids, [&](const SidHistory& sid) {
    findings.keep(Rule::kRREFD, dram_.nRREFD.count, sid.refreshed);
    findings.keep(Rule::kRRDL, dram_.nRRDL.count, sid.opened);
  });
}

void DomainChecker::note_refresh(const CheckedCommand& command, const Footprint& at,
                                 const Stamp& stamp, Findings& findings) {
  auto& ledger = ledgers_[static_cast<std::size_t>(command.pseudo_channel)];
  const int first = command.pseudo_channel * stack_ids_ * bank_groups_ * banks_;
  ledger.refresh(at.banks.first - first, at.banks.count, command, findings);
  if (command.op == Op::kRefAb) {
    channels_[static_cast<std::size_t>(command.pseudo_channel)].refreshed = stamp;
    return;
  }
  for_each(bank_history_, at.banks, [&](BankHistory& bank) { bank.refreshed = stamp; });
  for_each(sids_, at.sids, [&](SidHistory& sid) { sid.refreshed = stamp; });
}

}  // namespace lockstep
