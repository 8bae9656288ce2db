// The untimed calls, for a unit that has nothing faster than its clock.
#include "tlm/contract/mac_unit.h"

#include "tlm/contract/errors.h"

namespace lockstep {

const char* name(MacOp op) {
  constexpr const char* kNames[kMacOps] = {"dot", "axpy", "load-scalars", "clear-scores",
                                           "clear-lanes"};
  return kNames[static_cast<int>(op)];
}

void check(const MacParameters& parameters) {
  ensure(parameters.queries >= 1 && parameters.queries <= kMaxMacQueries,
         "a bank unit serves 1 to 8 queries");
  ensure(parameters.column_parts >= 1 && parameters.lane_sets() <= kMaxMacLaneSets,
         "a bank unit has 1 to 16 lane sets: queries times column parts");
  ensure(find_mac_timing(parameters.depth) != nullptr, "a bank unit has 1, 3 or 6 stages");
}

void check(const MacIssue& issue, const MacParameters& parameters) {
  switch (issue.op) {
    case MacOp::kDot:
      ensure(issue.index < parameters.scores(), "a DOT names a score that the unit does not have");
      break;
    case MacOp::kAxpy:
      ensure(issue.index < parameters.lane_sets(),
             "an AXPY names a lane set that the unit does not have");
      ensure(issue.scalar < parameters.scalars(),
             "an AXPY names a scalar that the unit does not have");
      break;
    case MacOp::kLoadScalars:
      ensure(issue.index < parameters.queries, "scalars are loaded for a query that is not there");
      break;
    case MacOp::kClearScores:
    case MacOp::kClearLanes:
      break;
  }
}

void check(const MacDrain& drain, const MacParameters& parameters) {
  const int first = drain.burst * kDrainWords;
  if (drain.bank == MacBank::kScores) {
    ensure(first < parameters.scores(), "a drain names scores that the unit does not have");
  } else {
    ensure(first < parameters.lane_sets() * kMacLanes,
           "a drain names a lane set that the unit does not have");
  }
}

LaneWords MacUnit::execute(const MacIssue& issue) {
  const MacOutputs* outputs = &clock(&issue, nullptr);
  for (int waited = 1; !outputs->result_valid; ++waited) {
    ensure(waited < parameters().depth, "a bank unit lost an operation");
    outputs = &clock(nullptr, nullptr);
  }
  ensure(outputs->tag == issue.tag && !outputs->busy,
         "an untimed operation met one that was in flight");
  return outputs->data;
}

DrainBurst MacUnit::read(const MacDrain& drain) {
  const MacOutputs& outputs = clock(nullptr, &drain);
  ensure(outputs.drained_valid, "an untimed drain met an operation in flight");
  return outputs.drained;
}

}  // namespace lockstep
