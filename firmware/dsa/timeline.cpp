#include "firmware/dsa/timeline.h"

#include <algorithm>
#include <string>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

class Composer {
 public:
  void exposed(std::string_view stage, double us) { part(stage, us, us); }
  void part(std::string_view stage, double busy_us, double exposed_us) {
    timeline_.parts.push_back({stage, busy_us, exposed_us});
    timeline_.total_us += exposed_us;
  }
  void slack(double us) { timeline_.slack_us = us; }
  StepTimeline finish() { return std::move(timeline_); }

 private:
  StepTimeline timeline_;
};

}  // namespace

Schedule schedule_by_name(std::string_view name) {
  std::string known;
  for (const auto& row : kSchedules) {
    if (row.name == name) return row.schedule;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw InputError("unknown schedule `" + std::string(name) + "`; known: " + known);
}

StepTimeline compose_step(Schedule schedule, Resources resources, const StageTimes& times) {
  const ScheduleInfo& info = info_of(schedule);
  Composer step;
  step.exposed("qkv", times.qkv_us);
  step.exposed("selection", times.selection_us);
  step.exposed("top_k", times.top_k_us);
  step.exposed("hand_off", times.hand_off_us);
  if (info.speculates) {
    const bool exclusive = resources == Resources::kExclusive;
    const double window_us =
        times.top_k_us + times.hand_off_us + (exclusive ? 0 : times.selection_us);
    step.slack(window_us - times.speculation_us);
    step.part("speculation", times.speculation_us, std::max(0.0, times.speculation_us - window_us));
    if (exclusive) step.exposed("mode_switch", times.mode_switch_us);
    if (info.recomputes) step.exposed("recompute", times.recompute_us);
    if (info.repairs) {
      step.exposed("repair", times.repair_us);
      step.exposed("merge", times.merge_us);
    }
  } else {
    step.exposed("attention", times.attention_us);
  }
  step.exposed("projection", times.projection_us);
  step.exposed("ffn", times.ffn_us);
  return step.finish();
}

double repair_us(const MissedWork& missed, double fixed_us, double attention_us) {
  return missed.any_miss_ratio * fixed_us + missed.missed_ratio * attention_us;
}

double recompute_us(const MissedWork& missed, double attention_us) {
  return missed.any_miss_ratio * attention_us;
}

}  // namespace lockstep
