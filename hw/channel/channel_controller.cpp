#include "hw/channel/channel_controller.h"

#include <algorithm>
#include <utility>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr Cycles kNever{INT64_MAX};

BankAddress bank_of(const PimRun& run) {
  return {run.pseudo_channel, run.stack_id, run.bank_group, run.bank};
}

// Of a move's `done`-th transfer: it goes round `spread` banks, bank groups first, so that
// consecutive transfers are nCCDS apart.
BankAddress bank_of(const PimRun& run, std::int64_t done, const Topology& topology) {
  BankAddress at = bank_of(run);
  if (run.spread <= 1) return at;
  const int index = static_cast<int>(done % run.spread);
  at.bank_group = (at.bank_group + index) % topology.bank_groups;
  at.bank = (at.bank + index / topology.bank_groups) % topology.banks;
  return at;
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

bool is_mac(Cmd cmd) {
  return kMacs.contains(cmd);
}

}  // namespace

ChannelController::ChannelController(const ControllerConfig& config)
    : config_(config),
      engine_(config.topology, config.timing),
      banks_(config.topology),
      refresh_(config),
      host_(config.host_window) {}

void ChannelController::push(const HostRequest& request) {
  ensure(now_ <= request.arrival, "a request arrived in the past of its channel");
  host_.push(request);
  ++stats_.host_requests;
  arrival_floor_ = request.arrival + Cycles{1};
  decided_ = false;
}

void ChannelController::push(const KernelRequest& request) {
  ensure(now_ <= request.arrival, "a kernel arrived in the past of its channel");
  pim_.push(request);
  ++stats_.kernels;
  arrival_floor_ = request.arrival + Cycles{1};
  decided_ = false;
  settle_kernels();
}

Cycles ChannelController::next() {
  return decide().when;
}

void ChannelController::issue_next() {
  const Decision decision = decide();
  execute(decision, decision.when);
}

void ChannelController::advance(Cycles until) {
  while (decide().when <= until && decision_.when != kNever) execute(Decision(decision_), until);
}

void ChannelController::advance_to_completion() {
  while (completions_.empty() && has_work()) execute(Decision(decide()), kNever);
}

std::vector<Completion> ChannelController::take_completions() {
  return std::exchange(completions_, {});
}

// Refresh when it is forced, or allowed and there is nothing else to do; else the side whose turn
// it is.
const ChannelController::Decision& ChannelController::decide() {
  if (decided_) return decision_;
  decided_ = true;
  decision_ = Decision{};
  if (has_work()) decision_ = choose_side() == Side::kHost ? host_decision() : pim_decision();
  if (refresh_.next_pseudo_channel() < 0) return decision_;
  if (!has_work()) {
    decision_ = refresh_decision(refresh_.allowed(), reason(Wait::kNoWork));
  } else if (decision_.when >= refresh_.forced()) {
    decision_ = refresh_decision(refresh_.forced(), reason(Wait::kRefreshDue));
  }
  return decision_;
}

ChannelController::Side ChannelController::choose_side() const {
  if (pim_.empty()) return Side::kHost;
  if (host_.empty()) return Side::kPim;
  const Cycles waiting_since = std::max(now_, arrival_floor_);
  if (waiting_since - host_.oldest_arrival() > config_.age_limit) return Side::kHost;
  switch (config_.arbitration) {
    case Arbitration::kPimFirst:
      return Side::kPim;
    case Arbitration::kHostFirst:
      return waiting_since - pim_progress_ > config_.age_limit ? Side::kPim : Side::kHost;
    case Arbitration::kTimeSlice:
      if (waiting_since < slice_end_) return mode_;
      return mode_ == Side::kHost ? Side::kPim : Side::kHost;
  }
  return Side::kPim;
}

Cycles ChannelController::floor_of(Side side) const {
  Cycles floor = std::max(now_, arrival_floor_);
  if (side != mode_ && last_work_ > Cycles{0}) {
    floor = std::max(floor, last_work_ + config_.timing.pim.n_mode_switch);
  }
  return floor;
}

ChannelController::Decision ChannelController::timed(Cmd cmd, BankAddress at, Source source,
                                                     Cycles not_before, Reason because) const {
  const auto bound = engine_.bound(cmd, at);
  Decision decision;
  decision.cmd = cmd;
  decision.source = source;
  decision.at = at;
  if (bound.when >= not_before && bound.rule != TimingEngine::kNoRule) {
    decision.when = bound.when;
    decision.reason = static_cast<Reason>(bound.rule);
  } else {
    decision.when = not_before;
    decision.reason = because;
  }
  return decision;
}

ChannelController::Decision ChannelController::host_decision() const {
  const Cycles floor = floor_of(Side::kHost);
  const bool aged = floor - host_.oldest_arrival() > config_.age_limit;
  const auto pick = host_.pick(engine_, banks_, floor,
                               aged ? HostQueue::Among::kOldestOnly : HostQueue::Among::kWindow);
  const auto& request = host_[pick.index].request;
  Decision decision = timed(pick.cmd, request.at, Source::kHost, floor,
                            reason(mode_ == Side::kHost ? Wait::kNoWork : Wait::kModeSwitch));
  const bool close_after = config_.page_policy == PagePolicy::kClosed &&
                           traits(pick.cmd).bus == Bus::kColumn &&
                           !host_.row_wanted_by_others(pick.index);
  if (close_after) decision.cmd = pick.cmd == Cmd::RD ? Cmd::RDA : Cmd::WRA;
  decision.row = request.row;
  decision.host_index = pick.index;
  return decision;
}

// The command of the run that is next, or, when that is a move, a row command for the next MAC run
// if it can go no later: rows open while results drain.
ChannelController::Decision ChannelController::pim_decision() const {
  const Cycles floor = floor_of(Side::kPim);
  const Decision head = pim_head_decision(floor);
  if (is_mac(head.cmd) || traits(head.cmd).bus == Bus::kRow) return head;
  const PimRun* const mac = pim_.next_mac();
  if (mac == nullptr) return head;
  const Decision row = pim_row_decision(*mac, floor);
  return row.when < head.when ? row : head;
}

ChannelController::Decision ChannelController::pim_head_decision(Cycles floor) const {
  const PimRun& run = pim_.run();
  const Cmd cmd = column_command(run.op);
  if (is_mac(cmd)) {
    const Decision row = pim_row_decision(run, floor);
    if (row.when != kNever) return row;
  }
  const Cycles not_before = std::max({floor, pim_floor_, dependence_of(run)});
  const Wait because = not_before > floor    ? Wait::kCompletion
                       : mode_ == Side::kPim ? Wait::kNoWork
                                             : Wait::kModeSwitch;
  Decision decision = timed(cmd, bank_of(run, pim_.done(), config_.topology), Source::kPim,
                            not_before, reason(because));
  decision.row = run.row;
  return decision;
}

// When the data that a move or softmax works on is there, plus the clock in which it can be used.
// The engine's table tells for MAC commands.
Cycles ChannelController::dependence_of(const PimRun& run) const {
  if (run.op == PimOp::kSfm) return moved_ + Cycles{1};
  if (run.op == PimOp::kMvGb) return softmax_.done(run.pass) + Cycles{1};
  return {0};
}

// The row command that `run` needs first, or one that never comes if its row is open.
ChannelController::Decision ChannelController::pim_row_decision(const PimRun& run,
                                                                Cycles floor) const {
  const BankAddress at = bank_of(run);
  const bool all_banks = run.op == PimOp::kMacAb;
  const std::int32_t open = all_banks ? banks_.lockstep_row(at) : banks_.same_bank_row(at);
  if (open == run.row) return {};
  const Cmd cmd = open == BankState::kClosed ? (all_banks ? Cmd::ACTab : Cmd::ACTsb)
                                             : (all_banks ? Cmd::PREab : Cmd::PREsb);
  Decision decision = timed(cmd, at, Source::kPim, floor,
                            reason(mode_ == Side::kPim ? Wait::kNoWork : Wait::kModeSwitch));
  decision.row = run.row;
  return decision;
}

ChannelController::Decision ChannelController::refresh_decision(Cycles not_before,
                                                                Reason because) const {
  const Cycles floor = std::max(now_, not_before);
  if (config_.refresh.mode == RefreshMode::kPerBank) {
    const BankAddress bank = refresh_.bank();
    const bool closed = banks_.open_row(bank) == BankState::kClosed;
    return timed(closed ? Cmd::REFpb : Cmd::PREpb, bank, Source::kRefresh, floor, because);
  }
  BankAddress at{refresh_.next_pseudo_channel(), 0, 0, 0};
  if (banks_.all_closed(at.pseudo_channel)) {
    return timed(Cmd::REFab, at, Source::kRefresh, floor, because);
  }
  while (banks_.lockstep_row(at) == BankState::kClosed) ++at.stack_id;
  return timed(Cmd::PREab, at, Source::kRefresh, floor, because);
}

void ChannelController::execute(const Decision& decision, Cycles until) {
  decided_ = false;
  switch (decision.source) {
    case Source::kRefresh:
      return execute_refresh(decision);
    case Source::kHost:
      note_side(Side::kHost, decision.when);
      return execute_host(decision);
    case Source::kPim:
      note_side(Side::kPim, decision.when);
      if (traits(decision.cmd).bus == Bus::kColumn) return execute_pim_column(decision, until);
      row_opened_for_run_ |= traits(decision.cmd).effect == RowEffect::kOpens;
      engine_.issue(decision.cmd, decision.at, decision.when);
      banks_.apply(decision.cmd, decision.at, decision.row);
      IssuedCommands issued;
      issued.id = pim_.kernel().id;
      record(decision, issued);
  }
}

void ChannelController::note_side(Side side, Cycles when) {
  if (side != mode_) {
    if (last_work_ > Cycles{0}) ++stats_.mode_switches;
    mode_ = side;
    slice_end_ = when + config_.time_slice;
  } else if (when >= slice_end_) {
    slice_end_ = when + config_.time_slice;
  }
  last_work_ = when;
}

void ChannelController::execute_refresh(const Decision& decision) {
  engine_.issue(decision.cmd, decision.at, decision.when);
  banks_.apply(decision.cmd, decision.at, decision.row);
  if (kRefreshes.contains(decision.cmd)) refresh_.issued();
  record(decision, {});
}

void ChannelController::execute_host(const Decision& decision) {
  const std::int32_t open = banks_.open_row(decision.at);
  using Found = HostQueue::Found;
  host_.note_first_command(decision.host_index, open == decision.row         ? Found::kHit
                                                : open == BankState::kClosed ? Found::kClosed
                                                                             : Found::kConflict);
  engine_.issue(decision.cmd, decision.at, decision.when);
  banks_.apply(decision.cmd, decision.at, decision.row);
  const auto entry = host_[decision.host_index];
  IssuedCommands issued;
  issued.id = entry.request.id;
  issued.column = entry.request.column;
  record(decision, issued);
  if (traits(decision.cmd).bus == Bus::kRow) return;
  host_.erase(decision.host_index);
  ++stats_.host_completed;
  ++(entry.found == Found::kHit      ? stats_.host_row_hits
     : entry.found == Found::kClosed ? stats_.host_row_misses
                                     : stats_.host_row_conflicts);
  completions_.push_back(
      {Completion::Kind::kHost, entry.request.id, decision.when + latency_of(decision.cmd)});
}

// Equal MAC commands follow one another at a fixed distance: nothing but the command before binds
// the next. So `until` and the next refresh tell how many go, and only the last one has to be told
// to the engine (docs/model.md, stream level).
void ChannelController::execute_pim_column(const Decision& decision, Cycles until) {
  IssuedCommands issued;
  issued.id = pim_.kernel().id;
  issued.run = &pim_.run();
  issued.run_position = pim_.done();

  engine_.issue(decision.cmd, decision.at, decision.when);
  Cycles last = decision.when;
  if (is_mac(decision.cmd) && host_.empty() && until > decision.when && pim_.left() > 1) {
    const auto following = engine_.bound(decision.cmd, decision.at);
    issued.spacing = following.when - decision.when;
    issued.spacing_reason = static_cast<Reason>(following.rule);
    Cycles limit = until;
    if (refresh_.next_pseudo_channel() >= 0) limit = std::min(limit, refresh_.forced() - Cycles{1});
    const std::int64_t more = (limit - decision.when).count / issued.spacing.count;
    issued.count = std::min(pim_.left(), 1 + more);
    last = decision.when + (issued.count - 1) * issued.spacing;
    if (issued.count > 1) engine_.issue(decision.cmd, decision.at, last);
  }
  record(decision, issued);
  now_ = last;
  last_work_ = last;
  pim_progress_ = last;
  Cycles completion = last + latency_of(decision.cmd);
  if (decision.cmd == Cmd::SFM) {
    const PimRun& run = pim_.run();
    stats_.softmax_elements += run.elements;
    completion = softmax_.start(run.pass, run.elements, last, config_.timing.pim);
  } else if (decision.cmd == Cmd::MVSB) {
    moved_ = std::max(moved_, completion);
  }
  pim_completion_ = std::max(pim_completion_, completion);
  if (is_mac(decision.cmd)) {
    stats_.pim_column_misses += row_opened_for_run_ ? 1 : 0;
    stats_.pim_column_hits += issued.count - (row_opened_for_run_ ? 1 : 0);
    row_opened_for_run_ = false;
  }
  pim_.advance(issued.count);
  settle_kernels();
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
    } else if (pim_.run().op == PimOp::kBarrier) {
      pim_floor_ = pim_completion_ + Cycles{1};
      pim_.advance(pim_.left());
    } else {
      return;
    }
  }
}

Cycles ChannelController::latency_of(Cmd cmd) const {
  const auto& [dram, pim, banks] = config_.timing;
  if (kReads.contains(cmd)) return dram.nCL + dram.nBL;
  if (kWrites.contains(cmd)) return dram.nCWL + dram.nBL;
  if (kMoves.contains(cmd)) return pim.n_move_latency;
  return pim.n_mac_latency;
}

void ChannelController::record(const Decision& decision, IssuedCommands issued) {
  stats_.commands[static_cast<std::size_t>(decision.cmd)] += issued.count;
  stats_.waited[static_cast<std::size_t>(decision.reason)] += (decision.when - now_).count;
  if (issued.count > 1) {
    stats_.waited[static_cast<std::size_t>(issued.spacing_reason)] +=
        (issued.count - 1) * issued.spacing.count;
  }
  now_ = decision.when;
  if (observer_ == nullptr) return;
  issued.cmd = decision.cmd;
  issued.source = decision.source;
  issued.at = decision.at;
  issued.row = decision.row;
  issued.first = decision.when;
  issued.reason = decision.reason;
  observer_->on_commands(issued);
}

}  // namespace lockstep
