#include "sim/attention/stage_clock.h"

#include <algorithm>

namespace lockstep {
namespace {

bool waited_for_refresh(Reason reason) {
  return reason_name(reason).substr(0, 4) == "nRFC";
}

// Of a column command of a kernel.
PimStage stage_of(const IssuedCommands& issued) {
  switch (issued.run->op) {
    case PimOp::kWrGb:
      return PimStage::kQueryLoad;
    case PimOp::kMacAb:
    case PimOp::kMacSb:
      return issued.run->work == MacWork::kDot ? PimStage::kScore : PimStage::kContext;
    case PimOp::kMvSb:
      return issued.run->drain == DrainFrom::kScores ? PimStage::kScoreDrain
                                                     : PimStage::kContextDrain;
    case PimOp::kMvGb:
      return issued.reason == reason(Wait::kCompletion) ? PimStage::kSoftmax
                                                        : PimStage::kScalarLoad;
    case PimOp::kSfm:
    case PimOp::kBarrier:
      break;
  }
  return PimStage::kScoreDrain;  // SFM waits until the scores have arrived
}

}  // namespace

void StageClock::on_commands(const IssuedCommands& issued) {
  const Cycles last = issued.first + (issued.count - 1) * issued.spacing;
  if (issued.source == Source::kRefresh || waited_for_refresh(issued.reason)) {
    return note(PimStage::kRefresh, issued.first, last, last);
  }
  if (issued.source == Source::kHost) {
    return note(PimStage::kKvWrite, issued.first, last,
                last + timing_.dram.nCWL + timing_.dram.nBL);
  }
  if (issued.run == nullptr) {  // a row command: its stage shows with the next column
    if (first_ == Cycles{0}) return note(PimStage::kScore, issued.first, last, last);
    rows_ += last - last_;
    last_ = last;
    return;
  }
  const PimRun& run = *issued.run;
  const bool move = kMoves.contains(issued.cmd);
  const PimStage stage = stage_of(issued);
  note(stage, issued.first, last,
       last + (move ? timing_.pim.n_move_latency : timing_.pim.n_mac_latency));
  if (run.op == PimOp::kMacAb) {
    times_[stage] += rows_;
    rows_ = {};
  } else if (run.op == PimOp::kSfm) {
    softmax_issued_[run.pass] = last;
  } else if (run.op == PimOp::kMvGb) {
    const auto softmax = softmax_issued_.find(run.pass);
    if (softmax == softmax_issued_.end()) return;  // not the first use
    times_.softmax_span += issued.first - softmax->second;
    softmax_issued_.erase(softmax);
  }
}

void StageClock::note(PimStage stage, Cycles first, Cycles last, Cycles completion) {
  if (first_ == Cycles{0}) {
    first_ = first;
    first_stage_ = stage;
    last_ = first;
  }
  times_[stage] += last - last_;
  last_ = last;
  last_stage_ = stage;
  completion_ = std::max(completion_, completion);
}

PimStageTimes StageClock::take(Cycles begin, Cycles end) {
  PimStageTimes taken = times_;
  if (first_ > Cycles{0}) {
    taken[first_stage_] += first_ - begin;
    taken[PimStage::kScore] += rows_;
    const Cycles own_end = std::min(end, std::max(completion_, last_));
    taken[last_stage_] += own_end - last_;
    taken[PimStage::kOtherChannels] += end - own_end;
  } else {
    taken[PimStage::kOtherChannels] += end - begin;
  }
  times_ = {};
  rows_ = {};
  first_ = {};
  completion_ = {};
  softmax_issued_.clear();
  return taken;
}

}  // namespace lockstep
