// Attributes the clocks of one lockstep domain to the stages of attention, from the commands its
// controller issues.
#pragma once

#include <map>

#include "firmware/attention/stage_times.h"
#include "hw/channel/command_observer.h"
#include "hw/dram/hbm3_constraints.h"

namespace lockstep {

// The time between two commands belongs to the stage of the later one; that of a row command to
// the stage whose columns it opens. What follows the last command until its result is there belongs
// to its stage, and the rest of a step to other channels.
class StageClock final : public CommandObserver, public StageProbe {
 public:
  explicit StageClock(const TimingSet& timing) : timing_(timing) {}

  void on_commands(const IssuedCommands& issued) override;
  PimStageTimes take(Cycles begin, Cycles end) override;

 private:
  void note(PimStage stage, Cycles first, Cycles last, Cycles completion);

  TimingSet timing_;
  PimStageTimes times_;
  Cycles first_;  // command since the last take(); none while it is 0
  PimStage first_stage_ = PimStage::kScore;
  Cycles last_;
  PimStage last_stage_ = PimStage::kScore;
  Cycles completion_;
  Cycles rows_;  // clocks of row commands whose columns are still to come
  std::map<std::int32_t, Cycles> softmax_issued_;  // by pass whose probabilities are awaited
};

}  // namespace lockstep
