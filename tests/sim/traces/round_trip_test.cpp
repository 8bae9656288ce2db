// Whatever format a trace is written in, the same commands are read back; and a file is valid
// however its run ended.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/check/check_commands.h"
#include "sim/traces/trace_writers.h"
#include "tests/sim/traces/sample_commands.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

bool keeps_source(const TraceWriter& writer) {
  return writer.name != "dramsim3" && writer.name != "vcd";
}
bool keeps_reason(const TraceWriter& writer) {
  return keeps_source(writer) && writer.name != "ramulator";
}

std::string line_of(const CommandRecord& c, const TraceWriter& writer) {
  return fmt::format("{} ch{} {} sid{} bg{} ba{} row{} col{} {} {}\n", c.cycle.count, c.channel,
                     c.command, c.stack_id, c.bank_group, c.bank, c.row, c.column,
                     keeps_source(writer) ? c.source : "",
                     keeps_reason(writer) ? c.blocked_by : "");
}

std::vector<std::string> lines_of(std::vector<CommandRecord> commands, const TraceWriter& writer) {
  // A VCD is in order of time over all channels.
  if (writer.name == "vcd") {
    std::stable_sort(commands.begin(), commands.end(),
                     [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
  }
  std::vector<std::string> lines;
  for (const auto& command : commands) lines.push_back(line_of(command, writer));
  return lines;
}

std::vector<std::string> read_back(const std::string& path, const TraceWriter& writer,
                                   const StackConfig& config) {
  std::vector<std::string> lines;
  writer.read(path, config, [&](const TracedCommand& command) {
    lines.push_back(line_of(command.record, writer));
    EXPECT_EQ(command.at.count, instant_of(command.record.cycle, config.clock).count);
  });
  return lines;
}

class Formats : public testing::TestWithParam<TraceWriter> {};

TEST_P(Formats, GiveBackTheCommandsTheyWereGiven) {
  const StackConfig config = sample_stack();
  const auto commands = sample_commands(config);
  ASSERT_GT(commands.size(), 500);
  const TemporaryFile file(std::string(GetParam().extension));
  const auto trace = GetParam().make(file.path(), config);
  for (const auto& command : commands) trace->record(command);
  trace->close();
  const auto read = read_back(file.path(), GetParam(), config);
  const auto written = lines_of(commands, GetParam());
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], written[i]) << "command " << i;
}

TEST_P(Formats, AreValidWhenTheRunEndsByAnException) {
  const StackConfig config = sample_stack();
  const auto commands = sample_commands(config);
  const TemporaryFile file(std::string(GetParam().extension));
  try {
    const auto trace = GetParam().make(file.path(), config);
    for (std::size_t i = 0; i < 100; ++i) trace->record(commands[i]);
    throw Unsupported("the run ends here");
  } catch (const Unsupported&) {
    EXPECT_EQ(read_back(file.path(), GetParam(), config).size(), 100);
  }
}

TEST_P(Formats, AreValidWithoutCommands) {
  const StackConfig config = sample_stack();
  const TemporaryFile file(std::string(GetParam().extension));
  GetParam().make(file.path(), config)->close();
  EXPECT_TRUE(std::filesystem::exists(file.path()));
  if (GetParam().name == "csv") {
    EXPECT_THROW(read_back(file.path(), GetParam(), config), InputError);
  } else {
    EXPECT_TRUE(read_back(file.path(), GetParam(), config).empty());
  }
}

TEST_P(Formats, SayWhenTheFileCannotBeCreated) {
  EXPECT_THROW(GetParam().make("/no/such/folder/trace", sample_stack()), InputError);
}

TEST_P(Formats, AreTheSameBytesEachTime) {
  const StackConfig config = sample_stack();
  const auto commands = sample_commands(config);
  const TemporaryFile file(std::string(GetParam().extension));
  std::string first;
  for (int run = 0; run < 2; ++run) {
    const auto trace = GetParam().make(file.path(), config);
    for (const auto& command : commands) trace->record(command);
    trace->close();
    if (run == 0) first = file.text();
  }
  EXPECT_TRUE(first == file.text());
}

TEST_P(Formats, RefuseWhatIsNoSuchTrace) {
  const TemporaryFile file(std::string(GetParam().extension));
  std::ofstream(file.path()) << "neither this\nnor that, or 12\n";
  if (GetParam().name == "vcd") return;  // a VCD without our signals holds no commands
  EXPECT_THROW(read_back(file.path(), GetParam(), sample_stack()), InputError);
  EXPECT_THROW(read_back("/no/such/file", GetParam(), sample_stack()), InputError);
}

std::string test_name(const testing::TestParamInfo<TraceWriter>& writer) {
  return std::string(writer.param.name);
}
INSTANTIATE_TEST_SUITE_P(All, Formats, testing::ValuesIn(kTraceWriters), test_name);

TEST(CanonicalTrace, KeepsEveryRuleOfTheChecker) {
  const StackConfig config = sample_stack();
  const TemporaryFile file(".csv");
  const auto trace = make_csv_trace(file.path(), config);
  for (const auto& command : sample_commands(config)) trace->record(command);
  trace->close();
  EXPECT_EQ(check_commands(file.path(), config).violations, 0);
}

}  // namespace
}  // namespace lockstep
