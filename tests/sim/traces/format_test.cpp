// The formats byte by byte, as their tools' own sources and documents define them.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/traces/sqlite.h"
#include "sim/traces/trace_writers.h"
#include "tests/sim/traces/sample_commands.h"

namespace lockstep {
namespace {

CommandRecord act() {
  CommandRecord record;
  record.cycle = {13};  // 10 ns at 1.3 GHz
  record.channel = 3;
  record.command = "ACT";
  record.stack_id = 0;
  record.bank_group = 1;
  record.bank = 2;
  record.row = 300;
  record.source = "host";
  record.blocked_by = "no work";
  return record;
}

CommandRecord read_column() {
  CommandRecord record = act();
  record.cycle = {32};
  record.command = "RD";
  record.column = 17;
  record.blocked_by = "nRCDRD";
  return record;
}

CommandRecord mac() {
  CommandRecord record;
  record.cycle = {65};  // 50 ns
  record.channel = 0;
  record.command = "MACab";
  record.stack_id = 0;
  record.row = 5;
  record.column = 1;
  record.source = "pim";
  return record;
}

template <typename Make>
std::string written(Make make, const char* extension) {
  const TemporaryFile file(extension);
  const auto trace = make(file.path(), check_stack());
  for (const auto& record : {act(), read_column(), mac()}) trace->record(record);
  trace->close();
  return file.text();
}

TEST(DramSim3Trace, HasTheColumnsOfDramsim3) {
  EXPECT_EQ(written(make_dramsim3_trace, ".trace"),
            "13                 activate               3   0   1   2    0x12c     -0x1\n"
            "32                 read                   3   0   1   2    0x12c     0x11\n"
            "65                 mac_all                0   0  -1  -1      0x5      0x1\n");
}

TEST(RamulatorTrace, HasTheColumnsOfTheCommandTraceRecorder) {
  EXPECT_EQ(written(make_ramulator_trace, ".csv"),
            "clock,command,Channel,PseudoChannel,Sid,BankGroup,Bank,Row,Column,type,source\n"
            "13,ACT,1,1,0,1,2,300,-1,-1,0\n"
            "32,RD,1,1,0,1,2,300,17,0,0\n"
            "65,MACab,0,0,0,-1,-1,5,1,-1,1\n");
}

TEST(PerfettoTrace, HasAnEventACommandInFractionalMicroseconds) {
  const auto json = nlohmann::json::parse(written(make_perfetto_trace, ".json"));
  EXPECT_EQ(json.at("displayTimeUnit"), "ns");
  std::vector<nlohmann::json> events, names, counters;
  for (const auto& event : json.at("traceEvents")) {
    if (event.at("ph") == "X") events.push_back(event);
    if (event.at("ph") == "M") names.push_back(event);
    if (event.at("ph") == "C") counters.push_back(event);
  }
  ASSERT_EQ(events.size(), 3);
  // ACT keeps its bank busy for nRCDRD, 19 clocks of 10/13 ns; bank 2 of group 1 is bank 6.
  EXPECT_EQ(
      events[0].dump(),
      R"({"args":{"bank":2,"bank_group":1,"blocked_by":"no work","cycle":13,"row":300,)"
      R"("source":"host","stack_id":0},"dur":0.014615,"name":"ACT","ph":"X","pid":3,"tid":11,)"
      R"("ts":0.01})");
  EXPECT_EQ(events[2].at("tid"), 0);
  EXPECT_EQ(events[2].at("ts"), 0.05);
  EXPECT_EQ(names[0].at("args").at("name"), "pseudo channel 3");
  EXPECT_EQ(names[1].at("args").at("name"), "SID 0 group 1 bank 2");
  ASSERT_EQ(counters.size(), 2);
  EXPECT_EQ(counters[0].at("args").at("banks"), 1);
}

TEST(VcdTrace, ChangesTheSignalsOfACommandAtItsInstant) {
  const TemporaryFile file(".vcd");
  const auto trace = make_vcd_trace(file.path(), check_stack());
  for (const auto& record : {act(), read_column()}) trace->record(record);
  trace->close();
  const std::string vcd = file.text();
  EXPECT_NE(vcd.find("$timescale 1 ps $end\n"), std::string::npos);
  // 30 signals a pseudo channel (14 and 16 banks): those of channel 3 are numbers 90 to 119 of the
  // 94 printable characters from `!`; row_command is number 90, `{`, and 94 + k is digit k, then
  // `"`.
  EXPECT_NE(vcd.find("$scope module ch3 $end\n$var string 1 { row_command $end\n"),
            std::string::npos);
  const auto body = vcd.substr(vcd.find("#10000\n"));
  EXPECT_EQ(body,
            "#10000\n"
            "b0 |\nb1 }\nb10 ~\nb100101100 !\"\n"
            "sACT {\n"
            "b100101100 1\"\n"
            "#10769\n"
            "s- {\n"
            "#24615\n"
            "b0 #\"\nb1 $\"\nb10 %\"\nb100101100 &\"\nb10001 '\"\n"
            "sRD \"\"\n"
            "1)\"\n"
            "#25385\n"
            "s- \"\"\n"
            "#26154\n"
            "0)\"\n");
}

TEST(VcdTrace, ComesWithASaveFileForGtkwave) {
  const TemporaryFile file(".vcd");
  const auto trace = make_vcd_trace(file.path(), check_stack());
  trace->record(act());
  trace->close();
  std::ifstream stream(file.path().substr(0, file.path().size() - 4) + ".gtkw");
  std::ostringstream save;
  save << stream.rdbuf();
  EXPECT_NE(save.str().find("[dumpfile] \"" + file.path() + "\""), std::string::npos);
  EXPECT_NE(save.str().find("stack.ch3.row_command\n"), std::string::npos);
  EXPECT_NE(save.str().find("stack.ch3.row_row[31:0]\n"), std::string::npos);
  EXPECT_EQ(save.str().find("stack.ch0."), std::string::npos);
}

// The query with which the Trace Analyzer loads a time span.
constexpr const char* kAnalyzerQuery =
    "SELECT Transactions.ID AS TransactionID, Ranges.begin, Ranges.end, Address, DataLength, "
    "Thread, Channel, Command, Phases.ID AS PhaseID, PhaseName, PhaseBegin, PhaseEnd, "
    "DataStrobeBegin, DataStrobeEnd, Rank, BankGroup, Bank, Row, Column, BurstLength "
    "FROM Transactions INNER JOIN Phases ON Phases.Transact = Transactions.ID "
    "INNER JOIN Ranges ON Transactions.Range = Ranges.ID "
    "WHERE Ranges.end >= 0 AND Ranges.begin <= 1000000 ORDER BY PhaseBegin";

TEST(TdbTrace, AnswersTheQueriesOfTheTraceAnalyzer) {
  const TemporaryFile file(".tdb");
  const auto trace = make_tdb_trace(file.path(), check_stack());
  for (const auto& record : {act(), read_column(), mac()}) trace->record(record);
  trace->close();
  SqliteDatabase database(file.path(), SqliteDatabase::Open::kReadOnly);
  SqliteStatement rows(database, kAnalyzerQuery);
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.text(9), "ACT");
  EXPECT_EQ(rows.number(10), 10'000);
  EXPECT_EQ(rows.number(11), 24'615);  // 32 clocks of 10/13 ns
  EXPECT_EQ(rows.number(12), 0);
  EXPECT_EQ(rows.number(14), 3);  // one rank a pseudo channel
  EXPECT_EQ(rows.number(16), 3 * 16 + 6);
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.text(9), "RD");
  EXPECT_EQ(rows.text(7), "R");
  EXPECT_EQ(rows.number(12), 39'231);  // data nCL later: clock 51
  EXPECT_EQ(rows.number(13), 40'769);  // for nBL: clock 53
  EXPECT_EQ(rows.number(18), 17);
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.text(9), "RD");  // MACab is drawn as a read without data
  EXPECT_EQ(rows.number(12), 0);
  EXPECT_FALSE(rows.next());
}

TEST(TdbTrace, SaysWhatItIsATraceOf) {
  const TemporaryFile file(".tdb");
  make_tdb_trace(file.path(), check_stack())->close();
  SqliteDatabase database(file.path(), SqliteDatabase::Open::kReadOnly);
  SqliteStatement info(database,
                       "SELECT NumberOfRanks, NumberOfBankgroups, NumberOfBanks, clk, UnitOfTime, "
                       "RowColumnCommandBus FROM GeneralInfo");
  ASSERT_TRUE(info.next());
  EXPECT_EQ(info.number(0), 8);
  EXPECT_EQ(info.number(1), 32);
  EXPECT_EQ(info.number(2), 128);
  EXPECT_EQ(info.number(3), 769);
  EXPECT_EQ(info.text(4), "PS");
  EXPECT_EQ(info.number(5), 1);
}

}  // namespace
}  // namespace lockstep
