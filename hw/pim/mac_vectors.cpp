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

std::string mac_vector(const MacStep& step, const MacOutputs& seen) {
  return inputs(step) + '_' + outputs(seen);
}

std::string mac_trace(std::int64_t clock, const MacStep& step, const MacOutputs& seen) {
  std::string lines;
  if (step.issues) lines += fmt::format("{} I {}\n", clock, step.issue.tag);
  if (seen.result_valid) lines += fmt::format("{} R {} {}\n", clock + 1, seen.tag, hex(seen.data));
  return lines;
}

std::string mac_vectors_header(const std::string& made_by) {
  return "// " + made_by +
         "\n// in: control op tag index scalar burst column operand; "
         "out: control tag data drained\n";
}

void write_mac_vectors(std::ostream& out, const MacVectorSpec& spec) {
  const MacParameters& parameters = spec.parameters;
  out << mac_vectors_header(fmt::format(
      "lockstep vectors: op {}, count {}, seed {}, queries {}, column parts {}, depth {}",
      kMixNames[static_cast<int>(spec.mix)], spec.clocks, spec.seed, parameters.queries,
      parameters.column_parts, parameters.depth));
  MacStimulus stimulus(parameters, spec.mix, spec.seed);
  MacModel model(parameters);
  for (std::uint64_t clock = 0; clock < spec.clocks; ++clock) {
    const MacStep& step = stimulus.next();
    out << mac_vector(step, apply(step, model)) << '\n';
  }
}

void write_mac_trace(std::ostream& out, const MacVectorSpec& spec, MacUnit& unit) {
  MacStimulus stimulus(spec.parameters, spec.mix, spec.seed);
  unit.reset();
  for (std::uint64_t clock = 0; clock < spec.clocks; ++clock) {
    const MacStep& step = stimulus.next();
    const MacOutputs& seen = apply(step, unit);
    out << mac_trace(static_cast<std::int64_t>(clock), step, seen);
  }
}

}  // namespace lockstep
