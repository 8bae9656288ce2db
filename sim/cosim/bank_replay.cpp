#include "sim/cosim/bank_replay.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lockstep {
namespace {

bool is_clear(const UnitOperation& operation) {
  return !operation.drains &&
         (operation.issue.op == MacOp::kClearScores || operation.issue.op == MacOp::kClearLanes);
}

std::string hex(const DrainBurst& burst) {
  std::string text;
  for (const auto word : burst) text += fmt::format(" {:08x}", word);
  return text;
}

}  // namespace

ReplayCounts& ReplayCounts::operator+=(const ReplayCounts& other) {
  clocks += other.clocks;
  beats += other.beats;
  results += other.results;
  drains += other.drains;
  late += other.late;
  return *this;
}

BankReplay::BankReplay(int domain, int bank, UnitClock clock, std::unique_ptr<MacUnit> unit,
                       UnitTrace* trace)
    : domain_(domain),
      bank_(bank),
      clock_(clock),
      unit_(std::move(unit)),
      timing_(*find_mac_timing(unit_->parameters().depth)),
      trace_(trace) {
  ensure(clock_.period.count > 0 && clock_.clocks_a_column > 0, "a bank unit has a clock");
}

std::int64_t BankReplay::arrival(Cycles when) const {
  const std::int64_t period = clock_.period.count;
  return (when.count + period - 1) / period * clock_.clocks_a_column;
}

void BankReplay::play_until(Cycles when) {
  while (!waiting_.empty() && waiting_.begin()->first < when) {
    const UnitOperation operation = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    play(operation);
  }
}

void BankReplay::finish() {
  play_until({INT64_MAX});
  idle_until(now_ + timing_.issue_to_result.count);
  if (!in_flight_.empty()) fail("the unit lost a beat");
}

// A clear needs no command of its own: it goes in the clock before the command that needs it.
void BankReplay::play(const UnitOperation& operation) {
  const std::int64_t due = arrival(operation.when) - (is_clear(operation) ? 1 : 0);
  idle_until(due);
  MacStep step;
  step.issues = !operation.drains;
  step.drains = operation.drains;
  step.issue = operation.issue;
  step.issue.tag = tag_;
  step.drain = operation.drain;
  // The queries of a column follow one another within its slot.
  if (now_ >= due + clock_.clocks_a_column) ++counts_.late;
  if (step.issues) {
    ++tag_;
    ++counts_.beats;
    in_flight_.push_back({step.issue.tag, now_});
    clock(step);
    return;
  }
  ++counts_.drains;
  const std::int64_t first = now_;
  const MacOutputs* seen = &clock(step);
  while (!seen->drained_valid) {
    if (now_ - first > timing_.issue_to_drain.count) fail("the unit refuses a drain");
    seen = &clock(step);
  }
  if (now_ > first + 1) ++counts_.late;
  if (seen->drained != operation.drained) {
    fail(
        fmt::format("the unit drains other words than the stack went on with: {} burst {}\n"
                    "  stack:{}\n  unit: {}",
                    step.drain.bank == MacBank::kScores ? "scores" : "lanes", step.drain.burst,
                    hex(operation.drained), hex(seen->drained)));
  }
}

void BankReplay::idle_until(std::int64_t until) {
  while (now_ < until) clock({});
}

const MacOutputs& BankReplay::clock(const MacStep& step) {
  const MacOutputs* seen = nullptr;
  try {
    seen = &unit_->clock(step.issues ? &step.issue : nullptr, step.drains ? &step.drain : nullptr);
  } catch (const MacUnitFault& fault) {
    fail(fault.what());
  }
  if (trace_ != nullptr) trace_->on_clock(now_, step, *seen);
  ++now_;
  ++counts_.clocks;
  check_result(*seen);
  return *seen;
}

// Against kMacTimings, which the stack's own clocks come from.
void BankReplay::check_result(const MacOutputs& seen) {
  const std::int64_t latency = timing_.issue_to_result.count;
  const bool due = !in_flight_.empty() && in_flight_.front().issued + latency == now_;
  if (due != seen.result_valid || (due && in_flight_.front().tag != seen.tag)) {
    fail(fmt::format("the unit answers {} in clock {}, where {} is due",
                     seen.result_valid ? fmt::format("tag {}", seen.tag) : "nothing", now_,
                     due ? fmt::format("tag {}", in_flight_.front().tag) : "nothing"));
  }
  if (!due) return;
  in_flight_.pop_front();
  ++counts_.results;
}

void BankReplay::fail(const std::string& what) const {
  throw CosimDifference(
      fmt::format("domain {}, bank {}, cycle {} CK (clock {} of the unit): {}", domain_, bank_,
                  now_ / clock_.clocks_a_column * clock_.period.count, now_, what));
}

}  // namespace lockstep
