#include "hw/pim/mac_model.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {

MacModel::MacModel(const MacParameters& parameters) : parameters_(parameters) {
  check(parameters);
  scores_.resize(parameters.scores());
  lane_sets_.resize(parameters.lane_sets());
  scalars_.resize(parameters.scalars());
  beats_.resize(parameters.depth);
}

void MacModel::reset() {
  *this = MacModel(parameters_);
}

void MacModel::compute(const MacIssue& issue, LaneWords& data) {
  check(issue, parameters_);
  switch (issue.op) {
    case MacOp::kDot:
      data = {};
      data[0] = scores_[issue.index] = mac_dot(issue.column, issue.operand, scores_[issue.index]);
      return;
    case MacOp::kAxpy:
      mac_axpy(issue.column, scalars_[issue.scalar], lane_sets_[issue.index]);
      data = lane_sets_[issue.index];
      return;
    case MacOp::kLoadScalars:
      std::copy(issue.column.begin(), issue.column.end(),
                scalars_.begin() + issue.index * kMacTokens);
      break;
    case MacOp::kClearScores:
      std::fill(scores_.begin(), scores_.end(), 0);
      break;
    case MacOp::kClearLanes:
      std::fill(lane_sets_.begin(), lane_sets_.end(), LaneWords{});
      break;
  }
  data = {};
}

const MacOutputs& MacModel::clock(const MacIssue* issue, const MacDrain* drain) {
  if (drain != nullptr) check(*drain, parameters_);
  outputs_.drained_valid = drain != nullptr && issue == nullptr && in_flight_ == 0;
  if (outputs_.drained_valid) outputs_.drained = read(*drain);

  newest_ = newest_ + 1 == beats_.size() ? 0 : newest_ + 1;
  Beat& entering = beats_[newest_];
  entering.valid = issue != nullptr;
  if (issue != nullptr) {
    entering.op = issue->op;
    entering.tag = issue->tag;
    compute(*issue, entering.data);
    ++in_flight_;
  }

  const Beat& leaving = beats_[newest_ + 1 == beats_.size() ? 0 : newest_ + 1];
  outputs_.result_valid = leaving.valid;
  if (leaving.valid) {
    outputs_.tag = leaving.tag;
    outputs_.data = leaving.data;
    --in_flight_;
  }
  outputs_.busy = in_flight_ > 0;
  return outputs_;
}

std::string MacModel::pipeline() const {
  std::string text;
  for (std::size_t age = 0; age < beats_.size(); ++age) {
    const Beat& beat = beats_[(newest_ + beats_.size() - age) % beats_.size()];
    text += age == 0 ? "[" : " | ";
    text += beat.valid ? std::string(name(beat.op)) + " tag " + std::to_string(beat.tag) : "-";
  }
  return text + "]";
}

LaneWords MacModel::execute(const MacIssue& issue) {
  ensure(in_flight_ == 0, "an untimed operation met one that was in flight");
  LaneWords data;
  compute(issue, data);
  return data;
}

DrainBurst MacModel::read(const MacDrain& drain) {
  ensure(in_flight_ == 0, "an untimed drain met an operation in flight");
  check(drain, parameters_);
  DrainBurst burst;
  const std::size_t first = std::size_t{drain.burst} * kDrainWords;
  if (drain.bank == MacBank::kScores) {
    std::copy_n(scores_.begin() + static_cast<std::ptrdiff_t>(first), kDrainWords, burst.begin());
  } else {
    const LaneWords& lanes = lane_sets_[first / kMacLanes];
    std::copy_n(lanes.begin() + static_cast<std::ptrdiff_t>(first % kMacLanes), kDrainWords,
                burst.begin());
  }
  return burst;
}

}  // namespace lockstep
