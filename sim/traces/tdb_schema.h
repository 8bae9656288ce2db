// Tables of a trace database. Names and order of the columns are DRAMSys's interface (its
// TlmRecorder writes them, the Trace Analyzer asks for them by name); times are picoseconds.
#pragma once

namespace lockstep {

constexpr const char* kTdbSchema = R"(
CREATE TABLE Phases(ID INTEGER PRIMARY KEY, PhaseName TEXT, PhaseBegin INTEGER, PhaseEnd INTEGER,
  DataStrobeBegin INTEGER, DataStrobeEnd INTEGER, Rank INTEGER, BankGroup INTEGER, Bank INTEGER,
  Row INTEGER, Column INTEGER, BurstLength INTEGER, DualBank INTEGER, Transact INTEGER);
CREATE TABLE GeneralInfo(NumberOfRanks INTEGER, NumberOfBankgroups INTEGER, NumberOfBanks INTEGER,
  clk INTEGER, UnitOfTime TEXT, MCconfig TEXT, Memspec TEXT, Traces TEXT, WindowSize INTEGER,
  RefreshMaxPostponed INTEGER, RefreshMaxPulledin INTEGER, ControllerThread INTEGER,
  MaxBufferDepth INTEGER, Per2BankOffset INTEGER, RowColumnCommandBus BOOL, PseudoChannelMode BOOL);
CREATE TABLE CommandLengths(Command TEXT, Length DOUBLE);
CREATE TABLE Power(time DOUBLE, AveragePower DOUBLE);
CREATE TABLE BufferDepth(Time DOUBLE, BufferNumber INTEGER, AverageBufferDepth DOUBLE);
CREATE TABLE Bandwidth(Time DOUBLE, AverageBandwidth DOUBLE);
CREATE TABLE Comments(Time INTEGER, Text TEXT);
CREATE TABLE DebugMessages(Time INTEGER, Message TEXT);
CREATE VIRTUAL TABLE ranges USING rtree(id, begin, end);
CREATE TABLE Transactions(ID INTEGER, Range INTEGER, Address INTEGER, DataLength INTEGER,
  Thread INTEGER, Channel INTEGER, TimeOfGeneration INTEGER, Command TEXT);
CREATE INDEX ranges_index ON Transactions(Range);
CREATE INDEX phasesTransactions ON Phases(Transact ASC);
CREATE INDEX messageTimes ON DebugMessages(Time ASC);
CREATE TABLE LockstepCommands(Transact INTEGER PRIMARY KEY, Cycle INTEGER, Channel INTEGER,
  Command TEXT, StackId INTEGER, BankGroup INTEGER, Bank INTEGER, Row INTEGER, Column INTEGER,
  Source TEXT, BlockedBy TEXT);
)";

constexpr const char* kTdbInsertPhase =
    "INSERT INTO Phases(PhaseName, PhaseBegin, PhaseEnd, DataStrobeBegin, DataStrobeEnd, Rank, "
    "BankGroup, Bank, Row, Column, BurstLength, DualBank, Transact) "
    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)";
constexpr const char* kTdbInsertTransaction =
    "INSERT INTO Transactions VALUES(?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)";
constexpr const char* kTdbInsertRange = "INSERT INTO ranges VALUES(?, ?, ?)";
constexpr const char* kTdbInsertCommand =
    "INSERT INTO LockstepCommands VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr const char* kTdbInsertInfo =
    "INSERT INTO GeneralInfo VALUES(?, ?, ?, ?, 'PS', '{}', '{}', '', 0, ?, ?, -1, ?, 0, 1, 1)";
constexpr const char* kTdbInsertLength = "INSERT INTO CommandLengths VALUES(?, 1.0)";

}  // namespace lockstep
