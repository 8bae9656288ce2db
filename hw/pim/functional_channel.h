// What the commands of one lockstep domain do to data: columns written and read by the host, bank
// units that compute, moves to and from the buffer die. tlm/contract/attention_pass.h says what
// each command means.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "hw/channel/command_observer.h"
#include "hw/channel/host_queue.h"
#include "hw/pim/bank_units.h"
#include "hw/pim/functional_stats.h"
#include "hw/pim/pass_part.h"
#include "hw/storage/bank_storage.h"

namespace lockstep {

// Follows the commands in the order of issue. A channel may be far ahead of the others of its head:
// commands that need the softmax, and those on lanes behind them, then wait here, with the columns
// they read, until the die has it. So the results depend neither on the order in which channels are
// advanced nor on the level of detail.
class FunctionalChannel final : public CommandObserver, public BufferDie::Listener {
 public:
  // `die` outlives the channel, and the channel the die's last call. `columns`: of a row.
  FunctionalChannel(int domain, const Topology& topology, int columns, int column_bytes,
                    const MacParameters& unit, const MacUnitFactory& factory, BufferDie& die);
  FunctionalChannel(const FunctionalChannel&) = delete;
  FunctionalChannel& operator=(const FunctionalChannel&) = delete;

  void on_commands(const IssuedCommands& issued) override;
  void on_softmax() override;

  // Tells `observer` what the units do from now on; nullptr ends it.
  void set_unit_observer(UnitObserver* observer) { units_.set_observer(observer); }

  BankStorage& storage() { return storage_; }
  const FunctionalStats& stats() const { return stats_; }
  // Throws InternalError if commands still wait for the die.
  void check_settled() const;

 private:
  using Part = std::shared_ptr<PassPart>;
  struct BankColumn {
    int bank;  // in the domain
    Column lanes;
  };
  // A command on scalars or lanes: MVGB, AXPY or MVSB of lanes.
  struct LateCommand {
    PimOp op;
    Cycles when;
    Part part;
    int bank = 0;  // of a move
    int burst = 0;
    int chunk = 0;
    PassStep step{};  // of an AXPY
    std::vector<BankColumn> columns;
  };
  // Of which pass (by serial) and chunk the registers of a lockstep scope or bank hold something.
  // Kernels whose commands overtake one another where they must not are found out by it.
  struct Scalars {
    std::int64_t of = -1;
    int chunk = -1;
  };
  struct Registers {
    std::int64_t scores_of = -1;
    int scores_chunk = -1;
    std::int64_t lanes_of = -1;
  };

  void serve_host(Cmd cmd, const HostRequest& request);
  void perform(const IssuedCommands& issued, std::int64_t index, Cycles when);
  const Part& part_of(const IssuedCommands& issued);
  const Part& begin_part(const IssuedCommands& issued, const PassData& pass);
  void write_global_buffer(const PassData& pass, int burst);
  void mac(const IssuedCommands& issued, const Part& part, std::int64_t index, Cycles when);
  std::vector<BankColumn> read_columns(const IssuedCommands& issued, const PassPart& part,
                                       const PassStep& step);
  void dot(const PassPart& part, const PassStep& step, Cycles when,
           const std::vector<BankColumn>& columns);
  void move_scores(const IssuedCommands& issued, PassPart& part, int burst, Cycles when);
  void settle();
  void tell_progress();
  void perform_late(const LateCommand& command);
  void load_scalars(const LateCommand& command);
  void axpy(const LateCommand& command);
  int scope_of(int bank) const { return bank / topology_.banks_in_lockstep(); }
  Scalars& scalars_of(int bank, int query) {
    return scalars_[static_cast<std::size_t>(bank * units_.parameters().queries + query)];
  }
  Registers& registers_of(int bank) { return registers_[static_cast<std::size_t>(scope_of(bank))]; }

  Topology topology_;
  BufferDie& die_;
  BankStorage storage_;
  BankUnits units_;
  FunctionalStats stats_;
  std::vector<Column> global_buffer_;
  std::vector<std::int64_t> operand_of_;  // head_pass, of each entry of the global buffer
  std::vector<Scalars> scalars_;          // by bank and query
  std::vector<Registers> registers_;      // by lockstep scope
  std::map<std::int64_t, Part> parts_;    // by head_pass
  std::int64_t parts_begun_ = 0;
  std::deque<LateCommand> late_;
  Cycles last_;  // clock of the last command
};

}  // namespace lockstep
