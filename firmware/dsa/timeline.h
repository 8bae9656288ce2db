// Composes the time of a decode step from the times of its stages, for each way of scheduling them
// (docs/dsa.md). Pure arithmetic: who measured the stages does not matter.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace lockstep {

enum class Schedule { kSerial, kReuseRecompute, kReuseRepair, kPredictRepair, kOracle };

enum class Resources {
  kShared,    // selection and speculation run at the same time at full speed
  kExclusive  // they need the same banks: only top-K and hand-off can be filled
};

struct ScheduleInfo {
  std::string_view name;
  Schedule schedule;
  bool speculates;  // attention over a guess starts before the selection is known
  bool recomputes;  // a miss repeats attention over all of A
  bool repairs;     // a miss is attended alone and merged
};

// clang-format off
constexpr std::array<ScheduleInfo, 5> kSchedules = {{
    {"serial", Schedule::kSerial,         false, false, false},
    {"S1",     Schedule::kReuseRecompute, true,  true,  false},  // guess: the last A
    {"S2",     Schedule::kReuseRepair,    true,  false, true},   // guess: the last A
    {"S3",     Schedule::kPredictRepair,  true,  false, true},   // guess: predicted, delta > 1
    {"oracle", Schedule::kOracle,         true,  false, false},  // guess: A itself
}};
// clang-format on

constexpr bool schedule_rows_match_enumerators() {
  for (std::size_t i = 0; i < kSchedules.size(); ++i) {
    if (kSchedules[i].schedule != static_cast<Schedule>(i)) return false;
  }
  return true;
}
static_assert(schedule_rows_match_enumerators(), "kSchedules lists every schedule, in order");
constexpr const ScheduleInfo& info_of(Schedule schedule) {
  return kSchedules[static_cast<std::size_t>(schedule)];
}

// Throws InputError that lists the known names.
Schedule schedule_by_name(std::string_view name);

// One step (or one layer; everything is linear). Times in microseconds, expected values.
struct StageTimes {
  double qkv_us = 0;
  double selection_us = 0;  // scoring
  double top_k_us = 0;
  double hand_off_us = 0;     // list to the attention engine
  double attention_us = 0;    // over A, once A is known
  double speculation_us = 0;  // over the guess
  double repair_us = 0;       // over the missed blocks, fixed cost included
  double recompute_us = 0;    // attention again, times the share of layers that missed something
  double merge_us = 0;
  double mode_switch_us = 0;  // total of the switches between selection and attention (kExclusive)
  double projection_us = 0;   // output projection
  double ffn_us = 0;
};

struct StagePart {
  std::string_view stage;
  double busy_us = 0;
  double exposed_us = 0;  // what it adds to the step; the rest runs behind another stage
};

struct StepTimeline {
  double total_us = 0;           // the sum of the exposed parts
  double slack_us = 0;           // window - speculation; negative: the speculation overruns
  std::vector<StagePart> parts;  // in order of time; stages the schedule has
};

// Shared: speculation runs behind selection, top-K and hand-off, and what is longer counts.
// Exclusive: it runs behind top-K and hand-off only, and the mode switches are paid.
StepTimeline compose_step(Schedule schedule, Resources resources, const StageTimes& times);

// The times that follow from what a prediction missed. `attention_us` is over A with the same
// engine.
struct MissedWork {
  double missed_ratio = 0;    // mean |M| / |A| of the head that ends last
  double any_miss_ratio = 1;  // share of layers in which some head missed something
};
double repair_us(const MissedWork& missed, double fixed_us, double attention_us);
double recompute_us(const MissedWork& missed, double attention_us);

}  // namespace lockstep
