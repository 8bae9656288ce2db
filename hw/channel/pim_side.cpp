// The PIM side of a channel controller: which command of which run goes next, and what it does.
#include <algorithm>

#include "hw/channel/channel_controller.h"
#include "hw/channel/transfer_bank.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr Cycles kNever{INT64_MAX};

BankAddress bank_of(const PimRun& run) {
  return {run.pseudo_channel, run.stack_id, run.bank_group, run.bank};
}

Cmd column_command(PimOp op) {
  switch (op) {
    case PimOp::kMacAb:
      return Cmd::MACab;
    case PimOp::kMacSb:
      return Cmd::MACsb;
    case PimOp::kWrGb:
      return Cmd::WRGB;
    case PimOp::kMvSb:
      return Cmd::MVSB;
    case PimOp::kMvGb:
      return Cmd::MVGB;
    case PimOp::kSfm:
      return Cmd::SFM;
    case PimOp::kBarrier:
      break;
  }
  ensure(false, "a barrier was to be issued as a command");
  return Cmd::MACab;
}

// How many runs a look ahead for rows to open may pass.
constexpr int kRowLookAhead = 64;

}  // namespace

// The earliest command of the runs that may go, a column command before a row command, the older
// run before the younger; or a row that can be opened for a later run meanwhile.
ChannelController::Decision ChannelController::pim_decision() const {
  const Cycles floor = floor_of(Side::kPim);
  const auto candidates = pim_.candidates(floor, config_.age_limit, [&](const PimRun& run) {
    return banks_.lockstep_row(bank_of(run));
  });
  Decision best = pim_run_decision(candidates.at[0], floor);
  for (int i = 1; i < candidates.count; ++i) {
    const Decision other = pim_run_decision(candidates.at[static_cast<std::size_t>(i)], floor);
    if (other.when < best.when) best = other;
  }
  best.alone = candidates.count == 1;
  if (traits(best.cmd).bus == Bus::kRow) return best;
  if (is_mac(pim_.run(best.index).op) && config_.timing.pim.overlap == RowOverlap::kNone)
    return best;
  const Decision ahead = pim_row_ahead(best.index, floor);
  return ahead.when < best.when ? ahead : best;
}

ChannelController::Decision ChannelController::pim_run_decision(std::size_t index,
                                                                Cycles floor) const {
  const PimRun& run = pim_.run(index);
  ensure(config_.topology.contains(bank_of(run)), "a kernel names a bank that its domain has not");
  Cycles not_before = std::max({floor, pim_floor_, dependence_of(run)});
  if (is_mac(run.op)) {
    if (!row_ready(run)) {
      Decision row = pim_row_decision(run, floor);
      row.index = index;
      return row;
    }
    if (config_.timing.pim.overlap == RowOverlap::kDualRowBuffer && run.op == PimOp::kMacAb &&
        banks_.latched_row(bank_of(run)) != run.row) {
      not_before = std::max(not_before, sensed_[scope_of(bank_of(run))]);
    }
  }
  const Wait because = not_before > floor ? Wait::kCompletion : plain_wait(Side::kPim);
  const BankAddress at = transfer_bank(run, pim_.done(index), config_.topology);
  Decision decision = timed(column_command(run.op), at, Source::kPim, not_before, reason(because));
  decision.row = run.row;
  decision.index = index;
  return decision;
}

std::size_t ChannelController::scope_of(BankAddress at) const {
  return static_cast<std::size_t>(engine_.topology().index(engine_.topology().lockstep, at));
}

// Whether the banks hold the run's row where MAC commands read it.
bool ChannelController::row_ready(const PimRun& run) const {
  const BankAddress at = bank_of(run);
  if (run.op == PimOp::kMacSb) return banks_.same_bank_row(at) == run.row;
  if (banks_.lockstep_row(at) == run.row) return true;
  return config_.timing.pim.overlap == RowOverlap::kDualRowBuffer &&
         banks_.latched_row(at) == run.row;
}

// The row command that brings `run` closer to its row, if that is not open.
ChannelController::Decision ChannelController::pim_row_decision(const PimRun& run,
                                                                Cycles floor) const {
  const BankAddress at = bank_of(run);
  const bool all_banks = run.op == PimOp::kMacAb;
  const std::int32_t open = all_banks ? banks_.lockstep_row(at) : banks_.same_bank_row(at);
  if (open == run.row) return {};
  const Cmd cmd = open == BankState::kClosed ? (all_banks ? Cmd::ACTab : Cmd::ACTsb)
                                             : (all_banks ? Cmd::PREab : Cmd::PREsb);
  Decision decision = timed(cmd, at, Source::kPim, floor, reason(plain_wait(Side::kPim)));
  decision.row = run.row;
  return decision;
}

// A row command for a later MAC run that need not wait for the one at `index`: any, behind a move;
// behind a MAC run, one of the other half of the banks, or with dual row buffers the next row of
// the same banks, once their present row is in the second buffer.
ChannelController::Decision ChannelController::pim_row_ahead(std::size_t index,
                                                             Cycles floor) const {
  const PimRun& head = pim_.run(index);
  const bool dual = config_.timing.pim.overlap == RowOverlap::kDualRowBuffer;
  Decision found;
  pim_.for_following(index, kRowLookAhead, [&](const PimRun& run) {
    if (!is_mac(run.op)) return true;
    if (is_mac(head.op) && scope_of(bank_of(run)) == scope_of(bank_of(head))) {
      if (run.row == head.row) return true;
      if (!dual || banks_.latched_row(bank_of(head)) != head.row) return !dual;
    }
    if (!row_ready(run)) found = pim_row_decision(run, floor);
    return false;
  });
  return found;
}

// When the data that a move or softmax works on is there, plus the clock in which it can be used.
// The engine's table tells for MAC commands.
Cycles ChannelController::dependence_of(const PimRun& run) const {
  if (run.op == PimOp::kSfm) return moved_ + Cycles{1};
  if (run.op == PimOp::kMvGb) return softmax_.done(run.pass) + Cycles{1};
  return {0};
}

void ChannelController::execute_pim_row(const Decision& decision) {
  engine_.issue(decision.cmd, decision.at, decision.when);
  banks_.apply(decision.cmd, decision.at, decision.row);
  if (traits(decision.cmd).effect == RowEffect::kOpens) {
    opened_[scope_of(decision.at)] = true;
    sensed_[scope_of(decision.at)] = decision.when + config_.timing.act_ab_to_mac();
  }
  IssuedCommands issued;
  issued.id = pim_.kernel().id;
  record(decision, issued);
}

void ChannelController::execute_pim_column(const Decision& decision, Cycles until) {
  const PimRun run = pim_.run(decision.index);
  IssuedCommands issued;
  issued.id = pim_.kernel().id;
  issued.kernel = &pim_.kernel();
  issued.run = &pim_.run(decision.index);
  issued.run_position = pim_.done(decision.index);
  if (run.op == PimOp::kMacAb && config_.timing.pim.overlap == RowOverlap::kDualRowBuffer &&
      banks_.latched_row(decision.at) != run.row) {
    banks_.latch(decision.at);
  }
  engine_.issue(decision.cmd, decision.at, decision.when);
  issued.count = equal_commands(decision, until, issued);
  const Cycles last = decision.when + (issued.count - 1) * issued.spacing;
  tell_engine_of_last(decision, issued);
  record(decision, issued);
  now_ = last;
  complete_pim_column(decision, run, issued.count);
  pim_.advance(decision.index, issued.count, now_);
  settle_kernels();
}

// Equal commands follow one another at a fixed distance: nothing but the command before binds the
// next. So `until`, the next refresh and the next row that could be opened meanwhile tell how many
// go, and only the last ones have to be told to the engine (docs/model.md, stream level).
std::int64_t ChannelController::equal_commands(const Decision& decision, Cycles until,
                                               IssuedCommands& issued) const {
  const std::int64_t left = pim_.left(decision.index);
  if (decision.cmd == Cmd::SFM || !host_.empty() || !decision.alone || until <= decision.when ||
      left < 2) {
    return 1;
  }
  const PimRun& run = pim_.run(decision.index);
  const auto following =
      engine_.bound(decision.cmd, transfer_bank(run, issued.run_position + 1, config_.topology));
  issued.spacing = following.when - decision.when;
  issued.spacing_reason = static_cast<Reason>(following.rule);
  const std::int64_t alike = is_mac(run.op) ? left : equal_moves(decision, run, issued);
  Cycles limit = until;
  if (refresh_.next_pseudo_channel() >= 0) limit = std::min(limit, refresh_.forced() - Cycles{1});
  if (!is_mac(run.op) || config_.timing.pim.overlap != RowOverlap::kNone) {
    limit = std::min(limit, pim_row_ahead(decision.index, decision.when).when);
  }
  return std::min(
      alike, 1 + std::max<std::int64_t>(0, (limit - decision.when).count) / issued.spacing.count);
}

// Transfers that go round the bank groups are bound by the bus of their pseudo channel, as long as
// no group is met again too soon: by this run, or after the one before.
std::int64_t ChannelController::equal_moves(const Decision& decision, const PimRun& run,
                                            const IssuedCommands& issued) const {
  const std::int64_t left = pim_.left(decision.index);
  if (run.spread <= 1) return left;
  const int groups = std::min<int>(run.spread, config_.topology.bank_groups);
  const bool bus_binds = issued.spacing_reason >= 0 &&
                         kHbm3Constraints[static_cast<std::size_t>(issued.spacing_reason)].level ==
                             Level::kPseudoChannel;
  if (!bus_binds || groups * issued.spacing <= config_.timing.dram.nCCDL) return 1;
  for (std::int64_t i = 2; i < groups && i < left; ++i) {
    const BankAddress at = transfer_bank(run, issued.run_position + i, config_.topology);
    if (engine_.earliest(decision.cmd, at) >= decision.when + i * issued.spacing) return i;
  }
  return left;
}

// Of a run of transfers, the last one of every bank group; of MAC commands, the last.
void ChannelController::tell_engine_of_last(const Decision& decision,
                                            const IssuedCommands& issued) {
  const PimRun& run = pim_.run(decision.index);
  const std::int64_t groups = std::min<std::int64_t>(run.spread, config_.topology.bank_groups);
  const std::int64_t told = is_mac(run.op) ? 1 : std::max<std::int64_t>(1, groups);
  for (std::int64_t i = std::max<std::int64_t>(1, issued.count - told); i < issued.count; ++i) {
    const BankAddress at = is_mac(run.op)
                               ? decision.at
                               : transfer_bank(run, issued.run_position + i, config_.topology);
    engine_.issue(decision.cmd, at, decision.when + i * issued.spacing);
  }
}

void ChannelController::complete_pim_column(const Decision& decision, const PimRun& run,
                                            std::int64_t count) {
  last_work_ = now_;
  pim_progress_ = now_;
  last_column_ = now_;
  served_in_turn_ = true;
  Cycles completion = now_ + latency_of(decision.cmd);
  if (decision.cmd == Cmd::SFM) {
    stats_.softmax_elements += run.elements;
    completion = softmax_.start(run.pass, run.elements, now_, config_.timing.pim);
  } else if (decision.cmd == Cmd::MVSB) {
    moved_ = std::max(moved_, completion);
  }
  pim_completion_ = std::max(pim_completion_, completion);
  if (!is_mac(run.op)) return;
  bool& opened = opened_[scope_of(decision.at)];
  stats_.pim_column_misses += opened ? 1 : 0;
  stats_.pim_column_hits += count - (opened ? 1 : 0);
  opened = false;
}

// Barriers and ends of kernels take no command.
void ChannelController::settle_kernels() {
  while (!pim_.empty()) {
    if (pim_.kernel_finished()) {
      const auto& done = pim_.kernel();
      completions_.push_back(
          {Completion::Kind::kKernel, done.id, std::max(pim_completion_, done.arrival)});
      ++stats_.kernels_completed;
      pim_.pop_kernel();
    } else if (pim_.at_barrier()) {
      pim_floor_ = pim_completion_ + Cycles{1};
      pim_.advance(0, pim_.left(0), now_);
    } else {
      return;
    }
  }
}

}  // namespace lockstep
