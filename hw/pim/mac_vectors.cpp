#include "hw/pim/mac_vectors.h"

#include <ostream>

#include <fmt/format.h>

#include "hw/pim/mac_model.h"

namespace lockstep {
namespace {

constexpr const char* kMixNames[] = {"dot", "axpy", "all"};

// Word 0 is the least significant: it comes last.
template <typename Words>
std::string hex(const Words& words) {
  std::string text;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    text += fmt::format("{:0{}x}", *word, 2 * sizeof *word);
  }
  return text;
}

// Inputs that are not valid are written as zeros, so that a file depends on what matters only.
std::string inputs(const MacStep& step) {
  const MacIssue issue = step.issues ? step.issue : MacIssue{};
  const MacDrain drain = step.drains ? step.drain : MacDrain{};
  const int control = (step.resets ? 8 : 0) | (drain.bank == MacBank::kLanes ? 4 : 0) |
                      (step.drains ? 2 : 0) | (step.issues ? 1 : 0);
  return fmt::format("{:x}_{:x}_{:04x}_{:02x}_{:02x}_{:02x}_{}_{}", control,
                     static_cast<int>(issue.op), issue.tag, issue.index, issue.scalar, drain.burst,
                     hex(issue.column), hex(issue.operand));
}

std::string outputs(const MacOutputs& out) {
  const int control = (out.busy ? 4 : 0) | (out.drained_valid ? 2 : 0) | (out.result_valid ? 1 : 0);
  return fmt::format("{:x}_{:04x}_{}_{}", control, out.result_valid ? out.tag : 0,
                     hex(out.result_valid ? out.data : LaneWords{}),
                     hex(out.drained_valid ? out.drained : DrainBurst{}));
}

const MacOutputs& apply(const MacStep& step, MacUnit& unit) {
  if (step.resets) unit.reset();
  return unit.clock(step.issues ? &step.issue : nullptr, step.drains ? &step.drain : nullptr);
}

}  // namespace

void write_mac_vectors(std::ostream& out, const MacVectorSpec& spec) {
  const MacParameters& parameters = spec.parameters;
  out << fmt::format(
      "// lockstep vectors: op {}, count {}, seed {}, queries {}, column parts {}, depth {}\n",
      kMixNames[static_cast<int>(spec.mix)], spec.clocks, spec.seed, parameters.queries,
      parameters.column_parts, parameters.depth);
  out << "// in: control op tag index scalar burst column operand; "
         "out: control tag data drained\n";
  MacStimulus stimulus(parameters, spec.mix, spec.seed);
  MacModel model(parameters);
  for (std::uint64_t clock = 0; clock < spec.clocks; ++clock) {
    const MacStep& step = stimulus.next();
    out << inputs(step) << '_' << outputs(apply(step, model)) << '\n';
  }
}

void write_mac_trace(std::ostream& out, const MacVectorSpec& spec, MacUnit& unit) {
  MacStimulus stimulus(spec.parameters, spec.mix, spec.seed);
  unit.reset();
  for (std::uint64_t clock = 0; clock < spec.clocks; ++clock) {
    const MacStep& step = stimulus.next();
    if (step.issues) out << fmt::format("{} I {}\n", clock, step.issue.tag);
    const MacOutputs& seen = apply(step, unit);
    if (seen.result_valid) out << fmt::format("{} R {} {}\n", clock + 1, seen.tag, hex(seen.data));
  }
}

}  // namespace lockstep
