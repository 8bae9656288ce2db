#include "rtl/lockstep_mac.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

template <typename Words>
std::string hex(const Words& words) {
  std::string text;
  for (const auto word : words) text += fmt::format(" {:0{}x}", word, 2 * sizeof word);
  return text;
}

// What differs, in the order in which a reader wants to know it; empty if nothing does.
std::string difference(const MacOutputs& want, const MacOutputs& got) {
  if (want.result_valid != got.result_valid) return "result valid";
  if (want.result_valid && want.tag != got.tag) return "tag";
  if (want.result_valid && want.data != got.data) return "result data";
  if (want.drained_valid != got.drained_valid) return "drain valid";
  if (want.drained_valid && want.drained != got.drained) return "drained data";
  if (want.busy != got.busy) return "busy";
  return {};
}

std::string describe(const char* who, const MacOutputs& outputs, const MacUnit& unit) {
  return fmt::format(
      "  {}: result {} tag {} data{}\n    drained {} data{}; busy {}\n    pipeline {}\n", who,
      outputs.result_valid ? 1 : 0, outputs.tag, hex(outputs.data), outputs.drained_valid ? 1 : 0,
      hex(outputs.drained), outputs.busy ? 1 : 0, unit.pipeline());
}

}  // namespace

LockstepMac::LockstepMac(std::unique_ptr<MacUnit> reference, std::unique_ptr<MacUnit> device)
    : reference_(std::move(reference)), device_(std::move(device)) {
  const MacParameters& a = reference_->parameters();
  const MacParameters& b = device_->parameters();
  ensure(a.queries == b.queries && a.column_parts == b.column_parts && a.depth == b.depth,
         "lockstep compares units of equal parameters");
}

void LockstepMac::reset() {
  reference_->reset();
  device_->reset();
  compared_ = issued_;
}

const MacOutputs& LockstepMac::clock(const MacIssue* issue, const MacDrain* drain) {
  if (issue != nullptr) pending_[issued_++ % pending_.size()] = {clocks_, *issue};
  const MacOutputs& want = reference_->clock(issue, drain);
  const MacOutputs& got = device_->clock(issue, drain);
  const std::string what = difference(want, got);
  if (!what.empty()) throw LockstepMismatch(report(what, want, got));
  if (want.result_valid) ++compared_;
  comparisons_ += 3 + (want.result_valid ? 2 : 0) + (want.drained_valid ? 1 : 0);
  ++clocks_;
  return want;
}

std::string LockstepMac::report(const std::string& what, const MacOutputs& want,
                                const MacOutputs& got) const {
  std::string text = fmt::format("clock {}: the two bank units differ in {}\n", clocks_, what);
  if (compared_ != issued_) {
    const Pending& oldest = pending_[compared_ % pending_.size()];
    text += fmt::format("  oldest operation: {} tag {} issued in clock {}, index {}, scalar {}\n",
                        name(oldest.issue.op), oldest.issue.tag, oldest.clock, oldest.issue.index,
                        oldest.issue.scalar);
    text += fmt::format("    column {}\n    operand{}\n", hex(oldest.issue.column),
                        hex(oldest.issue.operand));
  }
  text += describe("reference", want, *reference_);
  text += describe("device   ", got, *device_);
  return text;
}

std::string LockstepMac::pipeline() const {
  return reference_->pipeline() + " / " + device_->pipeline();
}

}  // namespace lockstep
