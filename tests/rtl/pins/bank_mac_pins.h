// An example of RTL on the command pins of a stack: rtl/bank_mac.sv as one bank's unit. What a PIM
// bank adds to the unit is here in a few lines: it decodes the commands, holds the channel's global
// buffer, counts the columns of a pass of one query, and gives the unit its clock, an edge every
// `period` CK. A team's own RTL takes the place of this module.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "tlm/command_pins.h"
#include "tlm/contract/mac_unit.h"

namespace lockstep {

class BankMacPins final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> ck_i{"ck_i"};
  sc_core::sc_in<sc_dt::sc_uint<5>> command_i{"command_i"};
  sc_core::sc_in<sc_dt::sc_uint<8>> bank_i{"bank_i"};
  sc_core::sc_in<CommandPins::Data> data_i{"data_i"};
  sc_core::sc_out<bool> drained_o{"drained_o"};  // toggles with each burst
  sc_core::sc_out<CommandPins::Data> data_o{"data_o"};

  // `bank` as on the pins; `period` in CK. `unit` has been reset.
  BankMacPins(const sc_core::sc_module_name& name, unsigned bank, int period,
              std::unique_ptr<MacUnit> unit);

 private:
  struct Operation {
    bool drains = false;
    MacIssue issue;
    MacDrain drain;
  };

  void rise();
  void decode();
  void mac(const Column& column);
  void clock_unit();
  void clear(MacOp op);

  unsigned bank_;
  int period_;
  std::unique_ptr<MacUnit> unit_;
  std::vector<Column> global_buffer_;
  std::deque<Operation> due_;  // of this column slot
  bool axpy_ = false;          // the columns are values: scalars have come
  int columns_ = 0;            // of this half of the pass
  int bursts_ = 0;
  std::int64_t edges_ = 0;
  bool toggle_ = false;
};

}  // namespace lockstep
