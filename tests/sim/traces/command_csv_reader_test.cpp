#include "sim/traces/command_csv_reader.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr const char* kHeader = "ps,cycle,channel,command,bank_group,bank,row,column,source\n";

struct Read {
  std::vector<TracedCommand> commands;
  std::string first_command;
  std::int64_t lines = 0;
};

Read read(const std::string& text) {
  std::istringstream stream(text);
  CommandCsvReader reader(stream, "t.csv");
  Read result;
  TracedCommand command;
  while (reader.next(command)) {
    if (result.commands.empty()) result.first_command = command.record.command;
    result.commands.push_back(command);
  }
  reader.finish();
  result.lines = reader.lines();
  return result;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CommandCsvReader, ReadsEveryColumn) {
  const auto trace = read(
      "ps,cycle,channel,command,bank_group,bank,row,column,source,stack_id,blocked_by\n"
      "14615,19,31,RD,1,2,16383,31,host,3,nRCDRD\n");
  ASSERT_EQ(trace.commands.size(), 1);
  const auto& [line, at, record] = trace.commands[0];
  EXPECT_EQ(line, 2);
  EXPECT_EQ(at.count, 14615);
  EXPECT_EQ(record.cycle.count, 19);
  EXPECT_EQ(record.channel, 31);
  EXPECT_EQ(trace.first_command, "RD");
  EXPECT_EQ(record.bank_group, 1);
  EXPECT_EQ(record.bank, 2);
  EXPECT_EQ(record.row, 16383);
  EXPECT_EQ(record.column, 31);
  EXPECT_EQ(record.stack_id, 3);
}

TEST(CommandCsvReader, LeavesEmptyCoordinatesUnset) {
  const auto trace = read(std::string(kHeader) + "0,0,0,PREab,,,,,pim\n");
  ASSERT_EQ(trace.commands.size(), 1);
  const auto& record = trace.commands[0].record;
  EXPECT_EQ(record.bank_group, -1);
  EXPECT_EQ(record.bank, -1);
  EXPECT_EQ(record.row, -1);
  EXPECT_EQ(record.column, -1);
  EXPECT_EQ(record.stack_id, -1);
}

TEST(CommandCsvReader, TakesAnyLineEndAnyOrderMoreColumnsAndBlankLines) {
  const std::string text =
      "note, cycle ,ps,channel,bank,bank_group,command,row,column,source\r\n"
      "a b,13,10000,2,1,3, ACT ,7,,host\r\n"
      "\r\n"
      ",26,20000,2,1,3,PREpb,,,";
  const auto trace = read(text);
  ASSERT_EQ(trace.commands.size(), 2);
  EXPECT_EQ(trace.first_command, "ACT");
  EXPECT_EQ(trace.commands[0].record.bank_group, 3);
  EXPECT_EQ(trace.commands[0].record.bank, 1);
  EXPECT_EQ(trace.commands[0].record.row, 7);
  EXPECT_EQ(trace.commands[1].line, 4);
  EXPECT_EQ(trace.lines, 4);
}

TEST(CommandCsvReader, ReportsAllBadLinesWithPlaceExpectedAndGot) {
  EXPECT_EQ(
      error_of(std::string(kHeader) + "x,1,0,ACT,0,0,5,,host\n"
                                      "769,1,0,ACT,0,0,5,,host\n"
                                      "769,1,0,ACT,0,-1,5,,host\n"
                                      "769,1,,ACT,0,0,1e3,,host\n"
                                      "769,1,0,,0,0,5,,host\n"
                                      "769,1,0,ACT,0,0,5,host\n"),
      "t.csv:2:1: `ps`: expected a whole number from 0 to 2305843009213693951, got `x`\n"
      "t.csv:4:15: `bank`: expected nothing or a whole number from 0 to 2147483647, got `-1`\n"
      "t.csv:5:7: `channel`: expected a whole number from 0 to 2147483647, got ``\n"
      "t.csv:5:16: `row`: expected nothing or a whole number from 0 to 2147483647, got `1e3`\n"
      "t.csv:6:9: `command`: expected the name of a command, got ``\n"
      "t.csv:7:1: expected 9 fields, as in the header, got 8: `769,1,0,ACT,0,0,5,host`\n");
}

TEST(CommandCsvReader, ListsTwentyBadLinesAndCountsTheOthers) {
  std::string text = kHeader;
  for (int i = 0; i < 25; ++i) text += "x,1,0,ACT,0,0,5,,host\n";
  const std::string error = error_of(text);
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 21);
  EXPECT_NE(error.find("t.csv: 5 more faults not shown\n"), std::string::npos);
}

TEST(CommandCsvReader, RefusesWhatIsNoCommandTrace) {
  EXPECT_EQ(error_of("time,address\n1,2\n"),
            "t.csv:1:1: expected the header of a command trace with a column `ps`, got "
            "`time,address`\n");
  EXPECT_EQ(error_of("ps,ps\n"), "t.csv:1:1: the column `ps` is there twice, got `ps,ps`\n");
  EXPECT_EQ(error_of(""),
            "t.csv:1:1: expected the header of a command trace with a column `ps`, got ``\n");
  EXPECT_EQ(error_of(kHeader), "t.csv: no command in 1 lines\n");
  EXPECT_EQ(error_of("version https://git-lfs.github.com/spec/v1\n"),
            "t.csv: this is a Git LFS pointer, not the data; fetch it with `git lfs pull`\n");
}

}  // namespace
}  // namespace lockstep
