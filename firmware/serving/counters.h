// What a serving run counts. The table names each count for reports.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

struct ServingCounters {
  std::int64_t steps = 0;
  std::int64_t admitted = 0;
  std::int64_t completed = 0;
  std::int64_t generated_tokens = 0;
  std::int64_t admission_failures = 0;
  std::int64_t preemptions = 0;
  std::int64_t recomputed_tokens = 0;
  std::int64_t dropped_unplaceable = 0;
  std::int64_t dropped_too_large = 0;
  std::int64_t dropped_preempted = 0;
  std::int64_t used_token_steps = 0;
  std::int64_t empty_token_steps = 0;
  std::int64_t prefix_hit_blocks = 0;
  std::int64_t prefix_evicted_blocks = 0;
  std::int64_t speculation_rounds = 0;
  std::int64_t speculation_stalls = 0;
  std::int64_t copy_on_write_tokens = 0;
  std::int64_t copied_back_tokens = 0;
  std::int64_t staged_tokens = 0;
  std::int64_t gathered_tokens = 0;

  std::int64_t dropped() const {
    return dropped_unplaceable + dropped_too_large + dropped_preempted;
  }
  // Of the token places that blocks in use or reserved have; 0 if nothing ran.
  double empty_share() const {
    const auto places = used_token_steps + empty_token_steps;
    return places == 0 ? 0 : static_cast<double>(empty_token_steps) / static_cast<double>(places);
  }
};

struct ServingStat {
  std::string_view name;
  std::string_view unit;
  std::string_view description;
  std::int64_t ServingCounters::*member;
};

// clang-format off
constexpr ServingStat kServingStats[] = {
    {"steps",                 "steps",       "iterations in which something ran",                        &ServingCounters::steps},
    {"admitted",              "requests",    "admissions, repeated ones included",                       &ServingCounters::admitted},
    {"completed",             "requests",    "requests that got all their output",                       &ServingCounters::completed},
    {"generated_tokens",      "tokens",      "output tokens",                                            &ServingCounters::generated_tokens},
    {"admission_failures",    "steps",       "steps in which the head of the queue did not fit",         &ServingCounters::admission_failures},
    {"preemptions",           "preemptions", "times that a sequence lost its blocks",                    &ServingCounters::preemptions},
    {"recomputed_tokens",     "tokens",      "tokens in the cache that preemption threw away",           &ServingCounters::recomputed_tokens},
    {"dropped_unplaceable",   "requests",    "refused by an otherwise idle server",                      &ServingCounters::dropped_unplaceable},
    {"dropped_too_large",     "requests",    "larger at their end than the pool",                        &ServingCounters::dropped_too_large},
    {"dropped_preempted",     "requests",    "preempted too often",                                      &ServingCounters::dropped_preempted},
    {"used_token_steps",      "token steps", "tokens of running sequences, summed over steps",           &ServingCounters::used_token_steps},
    {"empty_token_steps",     "token steps", "tokens that blocks in use or reserved could hold but do not", &ServingCounters::empty_token_steps},
    {"prefix_hit_blocks",     "blocks",      "blocks that an admission shared",                          &ServingCounters::prefix_hit_blocks},
    {"prefix_evicted_blocks", "blocks",      "cached blocks given up for room",                          &ServingCounters::prefix_evicted_blocks},
    {"speculation_rounds",    "rounds",      "speculative rounds with branches",                         &ServingCounters::speculation_rounds},
    {"speculation_stalls",    "rounds",      "rounds decoded plainly for want of branch blocks",         &ServingCounters::speculation_stalls},
    {"copy_on_write_tokens",  "tokens",      "tokens copied into branches",                              &ServingCounters::copy_on_write_tokens},
    {"copied_back_tokens",    "tokens",      "accepted tokens copied out of branches",                   &ServingCounters::copied_back_tokens},
    {"staged_tokens",         "tokens",      "tokens copied out of staging blocks",                      &ServingCounters::staged_tokens},
    {"gathered_tokens",       "tokens",      "tokens copied to a better place",                          &ServingCounters::gathered_tokens},
};
// clang-format on
static_assert(sizeof(ServingCounters) == sizeof(kServingStats) / sizeof(ServingStat) * 8,
              "a counter has no row");

}  // namespace lockstep
