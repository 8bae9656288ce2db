// Scores drawn at block granularity, without vectors: static + slow + pool + knob x fast.
#pragma once

#include "firmware/dsa/random_stream.h"
#include "firmware/dsa/score_process.h"

namespace lockstep {

struct DirectModel {
  std::string_view name;
  double static_variance;     // share of the part that never changes
  double slow_variance;       // share of the part that drifts
  double slow_tau_steps;      // its time constant
  double block_correlation;   // of neighbouring blocks
  int student_dof;            // of the static part; 0: normal
  double switch_probability;  // per step: half of the drift (and of the pool) is drawn anew
  double pool_ratio;          // members of the pool per selected block; 0: no pool
  double pool_gap;            // how far a member's score lies above the others'
  double pool_tau_steps;      // mean lifetime of a member
};

// Null when no model has this name.
const DirectModel* direct_model(std::string_view name);

class DirectProcess final : public ScoreProcess {
 public:
  DirectProcess(const DirectModel& model, const ProcessConfig& config, int layer, int head);
  ScoreSeries scores(double fast) const override;

 private:
  enum Purpose { kStatic, kSlow, kFast, kPool, kSwitch };

  RandomStream stream(Purpose purpose) const;
  void add_static();
  void add_slow();
  void add_pool();
  void draw_fast();
  std::vector<double> neighbours_correlated(RandomStream& random) const;

  DirectModel model_;
  ProcessConfig config_;
  int layer_;
  int head_;
  std::int64_t steps_;
  std::int64_t blocks_;
  std::vector<float> base_;  // [step][block]
  std::vector<float> fast_;  // [step][block]
};

}  // namespace lockstep
