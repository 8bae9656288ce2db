// The commands of one pseudo channel as pins of the DRAM's clock, so that a team can hang a bank or
// PIM unit of its own in RTL on a stack. The stack must run at command level.
//
//            cycle n-1     n          n+1        n+2
//   ck          _|‾‾|__|‾‾|__|‾‾|__|‾‾|__
//   command of cycle n        <=======>            set at the falling edge of cycle n, sampled at
//   the
//                                                  rising edge n + 1, then NOP or the next one
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <string_view>

#include <systemc>

#include "tlm/clock.h"
#include "tlm/contract/command_record.h"
#include "tlm/contract/mac_arithmetic.h"

namespace lockstep {

// The codes on the command pins are the places in this table. The names are those of command
// traces.
constexpr std::array<std::string_view, 19> kPinCommands = {
    "NOP",   "ACT",   "PREpb", "PREab", "RD",    "RDA",  "WR",   "WRA",  "REFab", "REFpb",
    "ACTab", "MACab", "ACTsb", "MACsb", "PREsb", "WRGB", "MVSB", "MVGB", "SFM"};
constexpr unsigned kPinNop = 0;

// Code of a command, or kPinNop for a name that is none.
constexpr unsigned pin_code(std::string_view command) {
  for (unsigned code = 1; code < kPinCommands.size(); ++code) {
    if (kPinCommands[code] == command) return code;
  }
  return kPinNop;
}

class CommandPins final : public sc_core::sc_module, public CommandSink {
 public:
  using Data = sc_dt::sc_biguint<256>;  // 32 B, the first at the least significant bits

  sc_core::sc_out<bool> ck_o{"ck_o"};
  // One bus for commands on rows, one for columns; a coordinate that a command has not is 0.
  struct Bus {
    explicit Bus(const char* name)
        : command((std::string(name) + "_command_o").c_str()),
          bank((std::string(name) + "_bank_o").c_str()),
          row((std::string(name) + "_row_o").c_str()) {}
    sc_core::sc_out<sc_dt::sc_uint<5>> command;
    sc_core::sc_out<sc_dt::sc_uint<8>> bank;  // {stack id, bank group, bank}: 2, 3 and 3 bits
    sc_core::sc_out<sc_dt::sc_uint<20>> row;
  };
  Bus row_bus{"row"};
  Bus column_bus{"column"};
  sc_core::sc_out<sc_dt::sc_uint<10>> column_o{"column_o"};
  sc_core::sc_out<Data> data_o{"data_o"};

  // What a command brings to, or reads in, the bank that hangs on the pins; false: no data. Asked
  // in the clock of the command. Without it, the data that came with the command itself: WR and
  // WRGB.
  using DataSource = std::function<bool(const CommandRecord&, Column&)>;

  // Of flat pseudo channel `channel`. CK runs from the start on, and rests after `idle` clocks
  // without a command until the next one, so that a simulation that has nothing left to do ends.
  CommandPins(const sc_core::sc_module_name& name, const Clock& clock, int channel, Cycles idle,
              DataSource source = {});

  // Throws InternalError for a command of an earlier clock: the stack is not at command level.
  void record(const CommandRecord& command) override;

 private:
  struct Waiting {
    bool on_column_bus;
    unsigned code;
    unsigned bank;
    std::int32_t row;
    std::int32_t column;
    bool has_data;
    Column data;
    Cycles cycle;
  };

  void edge();
  void drive();
  void set(Bus& bus, const Waiting* command);

  const Clock& clock_;
  int channel_;
  Cycles idle_;
  DataSource source_;
  std::deque<Waiting> waiting_;
  bool high_ = false;
  bool resting_ = true;
  Cycles cycle_;  // of the last rising edge
  Cycles last_;   // of the last command
  sc_core::sc_event edge_event_{"edge"};
};

}  // namespace lockstep
