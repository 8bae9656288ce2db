#include "sim/traces/tdb_trace.h"

#include <algorithm>
#include <optional>
#include <set>

#include "hw/channel/command_observer.h"
#include "sim/traces/command_names.h"
#include "sim/traces/command_span.h"
#include "sim/traces/reached_banks.h"
#include "sim/traces/sqlite.h"
#include "sim/traces/tdb_schema.h"

namespace lockstep {
namespace {

constexpr std::int64_t kCommandsInTransaction = 50'000;

class TdbTrace final : public TraceSink {
 public:
  TdbTrace(const std::string& path, const StackConfig& config)
      : config_(config), database_(path, SqliteDatabase::Open::kNew) {
    // After a crash of the process the journal brings back a whole database; one of the machine is
    // not worth the wait.
    database_.run("PRAGMA synchronous = OFF");
    database_.run("BEGIN");
    database_.run(kTdbSchema);
    write_info();
    statements_.emplace(database_);
  }
  ~TdbTrace() override {
    if (!database_.is_open()) return;
    statements_.reset();
    database_.run_quietly("COMMIT");
  }

  void record(const CommandRecord& command) override {
    const Cmd cmd = command_of(command.command);
    ++count_;
    const std::int64_t begin = instant_of(command.cycle, config_.clock).count;
    const Cycles span = command_span(cmd, config_.controller.timing);
    const std::int64_t end = instant_of(command.cycle + span, config_.clock).count;
    insert_phase(cmd, command, begin, end);
    const bool reads = kReads.contains(cmd), writes = kWrites.contains(cmd);
    const auto source = std::find(kSources.begin(), kSources.end(), command.source);
    statements_->transaction << count_ << 0 << (reads || writes ? config_.geometry.column_bytes : 0)
                             << source - kSources.begin() << command.channel << begin
                             << std::string_view(reads    ? "R"
                                                 : writes ? "W"
                                                          : "X");
    statements_->transaction.insert();
    statements_->range << count_ << begin << end;
    statements_->range.insert();
    insert_command(command);
    if (count_ % kCommandsInTransaction == 0) database_.run("COMMIT; BEGIN");
  }

  void close() override {
    if (!database_.is_open()) return;
    statements_.reset();
    database_.run("COMMIT");
    database_.close();
  }

 private:
  struct Statements {
    explicit Statements(SqliteDatabase& database)
        : phase(database, kTdbInsertPhase),
          transaction(database, kTdbInsertTransaction),
          range(database, kTdbInsertRange),
          command(database, kTdbInsertCommand) {}
    SqliteStatement phase, transaction, range, command;
  };

  // A rank is a SID of a pseudo channel; groups and banks are numbered through all ranks.
  int ranks() const { return config_.geometry.flat_channels() * config_.geometry.stack_ids; }

  void write_info() {
    const auto& geometry = config_.geometry;
    SqliteStatement info(database_, kTdbInsertInfo);
    info << ranks() << ranks() * geometry.bank_groups << ranks() * geometry.banks_per_sid()
         << instant_of({1}, config_.clock).count << config_.controller.refresh.postpone
         << config_.controller.refresh.pull_in << config_.controller.host_window;
    info.insert();
    SqliteStatement length(database_, kTdbInsertLength);
    std::set<std::string_view> phases;
    for (const auto& row : kCommandNames) phases.insert(row.phase);
    for (const auto phase : phases) {
      length << phase;
      length.insert();
    }
  }

  void insert_phase(Cmd cmd, const CommandRecord& command, std::int64_t begin, std::int64_t end) {
    const auto& geometry = config_.geometry;
    const auto& dram = config_.controller.timing.dram;
    const bool reads = kReads.contains(cmd), writes = kWrites.contains(cmd);
    const Cycles strobe = command.cycle + (reads ? dram.nCL : dram.nCWL);
    const auto at = [&](Cycles cycle) {
      return reads || writes ? instant_of(cycle, config_.clock).count : 0;
    };
    const std::int64_t rank = command.channel * geometry.stack_ids + std::max(command.stack_id, 0);
    const std::int64_t group = rank * geometry.bank_groups + std::max(command.bank_group, 0);
    statements_->phase << names_of_command(cmd).phase << begin << end << at(strobe)
                       << at(strobe + dram.nBL) << rank << group
                       << group * geometry.banks + std::max(command.bank, 0)
                       << std::max(command.row, 0) << std::max(command.column, 0) << dram.nBL.count
                       << count_;
    statements_->phase.insert();
  }

  void insert_command(const CommandRecord& command) {
    statements_->command << count_ << command.cycle.count << command.channel << command.command
                         << command.stack_id << command.bank_group << command.bank << command.row
                         << command.column << command.source << command.blocked_by;
    statements_->command.insert();
  }

  const StackConfig config_;
  SqliteDatabase database_;
  std::optional<Statements> statements_;
  std::int64_t count_ = 0;
};

}  // namespace

std::unique_ptr<TraceSink> make_tdb_trace(const std::string& path, const StackConfig& config) {
  return std::make_unique<TdbTrace>(path, config);
}

}  // namespace lockstep
