// The commands of a stack on pins: codes, clocks, and a bank's RTL that hangs on them and drains
// what the stack's own unit drains.
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "hw/dram/command.h"
#include "hw/pim/mac_model.h"
#include "rtl/verilated_mac.h"
#include "sim/attention/verify_attention.h"
#include "sim/cosim/cosim.h"
#include "sim/run/system.h"
#include "tests/rtl/pins/bank_mac_pins.h"
#include "tlm/process.h"

namespace lockstep {
namespace {

TEST(CommandPins, HaveACodeForEveryCommandOnItsBus) {
  EXPECT_EQ(kPinCommands.size(), kCmdCount + 1);
  for (const auto& command : kCommands) EXPECT_NE(pin_code(command.name), kPinNop) << command.name;
  EXPECT_EQ(pin_code("nothing"), kPinNop);
}

struct Pins {
  sc_core::sc_signal<bool> ck{"ck"};
  sc_core::sc_signal<sc_dt::sc_uint<5>> row_command{"row_command"},
      column_command{"column_command"};
  sc_core::sc_signal<sc_dt::sc_uint<8>> row_bank{"row_bank"}, column_bank{"column_bank"};
  sc_core::sc_signal<sc_dt::sc_uint<20>> row_row{"row_row"}, column_row{"column_row"};
  sc_core::sc_signal<sc_dt::sc_uint<10>> column{"column"};
  sc_core::sc_signal<CommandPins::Data> data{"data"};

  void bind(CommandPins& pins) {
    pins.ck_o(ck);
    pins.row_bus.command(row_command);
    pins.row_bus.bank(row_bank);
    pins.row_bus.row(row_row);
    pins.column_bus.command(column_command);
    pins.column_bus.bank(column_bank);
    pins.column_bus.row(column_row);
    pins.column_o(column);
    pins.data_o(data);
  }
};

// Hands commands on, and keeps a copy of their cycles.
class Tee final : public CommandSink {
 public:
  explicit Tee(CommandSink& pins) : pins_(pins) {}
  void record(const CommandRecord& command) override {
    commands.push_back({command.cycle.count, pin_code(command.command), command.row});
    pins_.record(command);
  }
  struct Command {
    std::int64_t cycle;
    unsigned code;
    std::int32_t row;
    bool operator==(const Command& other) const {
      return cycle == other.cycle && code == other.code && row == other.row;
    }
  };
  std::vector<Command> commands;

 private:
  CommandSink& pins_;
};

// What the stack's units of one bank work on and drain.
class OneBank final : public UnitObserver {
 public:
  explicit OneBank(int bank) : bank_(bank) {}
  void on_operation(const UnitOperation& operation) override {
    if (operation.bank != bank_) return;
    if (operation.drains) {
      drained.push_back(operation.drained);
    } else if (operation.issue.op <= MacOp::kLoadScalars) {
      columns[operation.when] = operation.issue.column;
    }
  }
  void on_progress(int, Cycles) override {}

  std::map<Cycles, Column> columns;  // by the clock of the command
  std::vector<DrainBurst> drained;

 private:
  int bank_;
};

CosimConfig pass_config() {
  return load_cosim_config({LOCKSTEP_SOURCE_DIR "/configs/cosim-bank-mac.yaml", {}, {}});
}

// A whole pass; bank 5 is bank 1 of bank group 1.
TEST(CommandPins, ABankOfRtlOnThePinsDrainsWhatTheStackDrains) {
  constexpr int kBank = 5;
  constexpr unsigned kBankPins = 1U << 3 | 1U;
  const CosimConfig config = pass_config();
  System system("system", config.stack, Detail::kCommand, make_mac_model, [&](StackPort& port) {
    std::int64_t first_pass = 0;
    for (int pass = 0; pass < 2; ++pass)
      run_verify_case(pass_case(config.pass, pass), config.stack, port, first_pass);
    port.wait({200});  // for the pins to show the last command
  });
  OneBank bank(kBank);
  // WRGB brings its data; the bank's columns and scalars are those of its unit.
  CommandPins pins("pins", system.stack().clock(), 0, {1000},
                   [&](const CommandRecord& command, Column& data) {
                     const auto found = bank.columns.find(command.cycle);
                     if (command.data == nullptr && found == bank.columns.end()) return false;
                     data = command.data != nullptr ? *command.data : found->second;
                     return true;
                   });
  Pins wires;
  wires.bind(pins);
  BankMacPins rtl("rtl", kBankPins, static_cast<int>(config.stack.unit_period().count),
                  std::make_unique<VerilatedMac>(config.stack.bank_unit));
  sc_core::sc_signal<bool> drained("drained");
  sc_core::sc_signal<CommandPins::Data> drained_data("drained_data");
  rtl.ck_i(wires.ck);
  rtl.command_i(wires.column_command);
  rtl.bank_i(wires.column_bank);
  rtl.data_i(wires.data);
  rtl.drained_o(drained);
  rtl.data_o(drained_data);

  std::vector<DrainBurst> seen;
  spawn_method("drains", drained.value_changed_event(), [&] {
    DrainBurst burst;
    for (int word = 0; word < kDrainWords; ++word) {
      burst[static_cast<std::size_t>(word)] =
          drained_data.read().range(32 * word + 31, 32 * word).to_uint();
    }
    seen.push_back(burst);
  });
  // What is on the pins at a rising edge is the command of the clock before.
  std::vector<Tee::Command> on_pins;
  spawn_method("watch", wires.ck.posedge_event(), [&] {
    const auto cycle = system.stack().clock().now().count - 1;
    const auto note = [&](unsigned code, unsigned row) {
      if (code != kPinNop) on_pins.push_back({cycle, code, static_cast<std::int32_t>(row)});
    };
    note(wires.row_command.read(), wires.row_row.read());
    note(wires.column_command.read(), wires.column_row.read());
  });
  Tee tee(pins);
  system.stack().record_to(&tee);
  system.stack().observe_units(&bank);
  system.run();

  EXPECT_EQ(bank.drained.size(), 2U * 18U);
  EXPECT_TRUE(seen == bank.drained);
  ASSERT_GT(tee.commands.size(), 2U * 256U);
  for (auto& command : tee.commands) command.row = std::max(command.row, 0);
  const auto in_order = [](const Tee::Command& a, const Tee::Command& b) {
    return std::tie(a.cycle, a.code) < std::tie(b.cycle, b.code);
  };
  std::sort(tee.commands.begin(), tee.commands.end(), in_order);
  std::sort(on_pins.begin(), on_pins.end(), in_order);
  EXPECT_TRUE(on_pins == tee.commands);
}

}  // namespace
}  // namespace lockstep
