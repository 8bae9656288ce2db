// `lockstep check COMMANDS.csv CONFIG`: whether a command trace keeps the rules of its
// configuration. Independent of the model that wrote the trace: it shares the parameters
// (StackConfig) and the trace format, no rule and no state.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "sim/check/findings.h"

namespace lockstep {

struct StackConfig;

struct CheckReport {
  std::string file;
  std::int64_t lines = 0;
  std::int64_t commands = 0;
  std::int64_t violations = 0;
  std::array<std::int64_t, kRuleCount> by_rule{};
  std::vector<Violation> listed;  // the first thousand
};

// Reads a canonical command trace from the start of a run; `file` stands for it in messages. Each
// command breaks a rule at most once. InputError: lines that are no commands of this stack. Memory
// does not grow with the trace.
CheckReport check_commands(std::istream& trace, const std::string& file, const StackConfig& config);
CheckReport check_commands(const std::string& file, const StackConfig& config);

// A line for each of the first `most` violations, `file:line: rule nRCDRD: …`, and a summary.
std::string text_of(const CheckReport& report, std::size_t most = 100);
// The same as JSON, clocks in `_ck`; ends with a line end.
std::string json_of(const CheckReport& report);

}  // namespace lockstep
