#include "hw/channel/channel_controller.h"

#include <algorithm>
#include <string>
#include <utility>

#include "hw/channel/transfer_bank.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr Cycles kNever{INT64_MAX};
constexpr Cycles kStallLimit{1'000'000};

}  // namespace

ChannelController::ChannelController(const ControllerConfig& config)
    : config_(config),
      engine_(config.topology, config.timing),
      banks_(config.topology),
      refresh_(config),
      host_(config.host_window, config.write_drain, config.topology.count(Level::kBank)),
      pim_(config.pim_window) {}

void ChannelController::push(const HostRequest& request) {
  ensure(now_ <= request.arrival, "a request arrived in the past of its channel");
  host_.push(request, config_.topology.index(Level::kBank, request.at));
  ++stats_.host_requests;
  arrival_floor_ = request.arrival + Cycles{1};
  decided_ = false;
}

void ChannelController::push(const KernelRequest& request) {
  ensure(now_ <= request.arrival, "a kernel arrived in the past of its channel");
  ensure(request.kernel != nullptr, "a kernel request came without its kernel");
  if (pim_.empty()) pim_progress_ = std::max(pim_progress_, request.arrival);
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
  const Cycles now = std::max(now_, arrival_floor_);
  const bool host_aged = now - host_.oldest_since() > config_.age_limit;
  const bool pim_aged = now - pim_progress_ > config_.age_limit;
  const Side other = mode_ == Side::kHost ? Side::kPim : Side::kHost;
  if (host_aged && pim_aged) return served_in_turn_ ? other : mode_;
  if (host_aged) return Side::kHost;
  switch (config_.arbitration) {
    case Arbitration::kPimFirst:
      return Side::kPim;
    case Arbitration::kHostFirst:
      return pim_aged ? Side::kPim : Side::kHost;
    case Arbitration::kTimeSlice:
      return now < slice_end_ || !served_in_turn_ ? mode_ : other;
  }
  return Side::kPim;
}

// What a command of `side` waits for when no rule of the table binds it.
Wait ChannelController::plain_wait(Side side) const {
  return side == mode_ || last_work_ == Cycles{0} ? Wait::kNoWork : Wait::kModeSwitch;
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

ChannelController::Decision ChannelController::host_decision() {
  const Cycles floor = floor_of(Side::kHost);
  const bool aged = floor - host_.oldest_since() > config_.age_limit;
  const auto pick = host_.pick(engine_, banks_, floor,
                               aged ? HostQueue::Among::kOldestOnly : HostQueue::Among::kWindow);
  const auto& request = host_.entry(pick.slot).request;
  Decision decision =
      timed(pick.cmd, request.at, Source::kHost, floor, reason(plain_wait(Side::kHost)));
  const bool close_after = config_.page_policy == PagePolicy::kClosed &&
                           traits(pick.cmd).bus == Bus::kColumn &&
                           !host_.row_wanted_by_others(pick.slot);
  if (close_after) decision.cmd = pick.cmd == Cmd::RD ? Cmd::RDA : Cmd::WRA;
  decision.row = request.row;
  decision.index = static_cast<std::size_t>(pick.slot);
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

// Row commands and refreshes alone are no progress: parameters that leave no time for columns
// between two refreshes would go round for ever.
void ChannelController::watch(const Decision& decision) const {
  const Cycles since = std::max(last_column_, arrival_floor_);
  if (!has_work() || decision.when - since <= kStallLimit) return;
  throw Unsupported(
      "the channel stalled: no column command for " + std::to_string(kStallLimit.count) +
      " CK before clock " + std::to_string(decision.when.count) + ", while " +
      std::to_string(host_.size()) + " host requests and " + std::to_string(pim_.size()) +
      " kernels wait; do refreshes leave time for them?");
}

void ChannelController::execute(const Decision& decision, Cycles until) {
  decided_ = false;
  if (traits(decision.cmd).bus == Bus::kRow) watch(decision);
  switch (decision.source) {
    case Source::kRefresh:
      return execute_refresh(decision);
    case Source::kHost:
      note_side(Side::kHost, decision.when);
      return execute_host(decision);
    case Source::kPim:
      note_side(Side::kPim, decision.when);
      if (traits(decision.cmd).bus == Bus::kColumn) return execute_pim_column(decision, until);
      return execute_pim_row(decision);
  }
}

void ChannelController::note_side(Side side, Cycles when) {
  if (side != mode_) {
    if (last_work_ > Cycles{0}) ++stats_.mode_switches;
    mode_ = side;
    slice_end_ = when + config_.time_slice;
    served_in_turn_ = false;
  }
  last_work_ = when;
}

void ChannelController::execute_refresh(const Decision& decision) {
  engine_.issue(decision.cmd, decision.at, decision.when);
  banks_.apply(decision.cmd, decision.at, decision.row);
  if (kRefreshes.contains(decision.cmd)) {
    stats_.refreshes_postponed += decision.when >= refresh_.following_due() ? 1 : 0;
    stats_.refreshes_pulled_in += decision.when < refresh_.due() ? 1 : 0;
    refresh_.issued();
  }
  record(decision, {});
}

void ChannelController::execute_host(const Decision& decision) {
  const std::int32_t open = banks_.open_row(decision.at);
  using Found = HostQueue::Found;
  const int slot = static_cast<int>(decision.index);
  host_.note_first_command(slot, open == decision.row         ? Found::kHit
                                 : open == BankState::kClosed ? Found::kClosed
                                                              : Found::kConflict);
  engine_.issue(decision.cmd, decision.at, decision.when);
  banks_.apply(decision.cmd, decision.at, decision.row);
  const auto entry = host_.entry(slot);
  IssuedCommands issued;
  issued.id = entry.request.id;
  issued.request = &entry.request;
  issued.column = entry.request.column;
  record(decision, issued);
  if (traits(decision.cmd).bus == Bus::kRow) return;
  host_.erase(slot, decision.when);
  served_in_turn_ = true;
  last_column_ = now_;
  ++stats_.host_completed;
  ++(entry.found == Found::kHit      ? stats_.host_row_hits
     : entry.found == Found::kClosed ? stats_.host_row_misses
                                     : stats_.host_row_conflicts);
  completions_.push_back(
      {Completion::Kind::kHost, entry.request.id, decision.when + latency_of(decision.cmd)});
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
  if (observer_ != nullptr) tell_observer(decision, issued);
}

// Transfers of one run concern a bank each, and are told one by one.
void ChannelController::tell_observer(const Decision& decision, IssuedCommands issued) {
  issued.cmd = decision.cmd;
  issued.source = decision.source;
  issued.at = decision.at;
  issued.row = decision.row;
  issued.first = decision.when;
  issued.reason = decision.reason;
  if (issued.count == 1 || is_mac(issued.run->op)) return observer_->on_commands(issued);
  const std::int64_t count = std::exchange(issued.count, 1);
  for (std::int64_t i = 0; i < count; ++i) {
    observer_->on_commands(issued);
    ++issued.run_position;
    issued.at = transfer_bank(*issued.run, issued.run_position, config_.topology);
    issued.first += issued.spacing;
    issued.reason = issued.spacing_reason;
  }
}

}  // namespace lockstep
