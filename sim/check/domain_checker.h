// Checks the commands of one lockstep domain, in order, against the rules of kRules. Written from
// what JESD238 and docs/model.md say of each command, not from the tables of hw/dram.
#pragma once

#include <vector>

#include "sim/check/history.h"
#include "sim/check/refresh_ledger.h"

namespace lockstep {

class DomainChecker {
 public:
  DomainChecker(const StackConfig& config, int domain);

  // Requires coordinates within the geometry.
  void check(const CheckedCommand& command, Findings& findings);
  // Whether the refreshes due by `cycle`, the last of the trace, have come.
  void finish(std::int64_t line, std::int64_t cycle, Findings& findings);

 private:
  Footprint footprint(const CheckedCommand& command) const;
  Footprint half_of(const CheckedCommand& command) const;
  int sid_index(const CheckedCommand& c) const {
    return c.pseudo_channel * stack_ids_ + c.stack_id;
  }

  void check_buses(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void check_mode(const CheckedCommand& command, Findings& findings);
  void check_deed(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void check_idle_banks(Op op, Rule if_open, const Footprint& at, Findings& findings);
  void check_activate(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void check_precharge(const Footprint& at, Findings& findings);
  void check_refresh(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void check_open(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void check_read(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void check_write(const Footprint& at, Findings& findings);
  void check_mac(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void check_move(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void check_data_bus(const CheckedCommand& command, const Footprint& at, Findings& findings);

  void note(const CheckedCommand& command, const Footprint& at, Findings& findings);
  void note_activate(const CheckedCommand& command, const Footprint& at, const Stamp& stamp);
  void note_precharge(const Footprint& at, const Stamp& stamp);
  void note_refresh(const CheckedCommand& command, const Footprint& at, const Stamp& stamp,
                    Findings& findings);
  void note_read(const CheckedCommand& command, const Footprint& at, const Stamp& stamp);
  void note_write(const CheckedCommand& command, const Footprint& at, const Stamp& stamp);
  void note_mac(const CheckedCommand& command, const Footprint& at, const Stamp& stamp);
  void note_move(const CheckedCommand& command, const Footprint& at, const Stamp& stamp);
  void close_after(BankHistory& bank, const CheckedCommand& command, std::int64_t clocks);

  // Whether MACab reads a second row buffer, which outlives the row in the bank.
  bool buffers(Op op) const {
    return op == Op::kMacAb && pim_.overlap == RowOverlap::kDualRowBuffer;
  }
  // The parts of a SID that all-bank commands work on one by one.
  int halves() const { return pim_.overlap == RowOverlap::kHalfScope ? 2 : 1; }
  // Clocks from ACTab to its last four activations in each SID.
  std::int64_t stagger() const;
  std::int64_t write_data_end() const { return (dram_.nCWL + dram_.nBL).count; }

  const Timing dram_;
  const PimTiming pim_;
  const AllBankScope all_bank_scope_;
  const StackIdScope stack_id_scope_;
  const int pseudo_channels_, stack_ids_, bank_groups_, banks_;

  std::vector<BankHistory> bank_history_;
  std::vector<GroupHistory> groups_;
  std::vector<SidHistory> sids_;
  std::vector<PseudoChannelHistory> channels_;
  std::vector<RefreshLedger> ledgers_;  // of each pseudo channel
  Stamp mac_;                           // the last of the domain
  Stamp supplied_;                      // WRGB or MVGB
  Stamp drained_;                       // MVSB
  Stamp last_of_host_;
  Stamp last_of_pim_;
  std::int64_t last_cycle_ = 0;
  std::int64_t last_line_ = 0;
};

}  // namespace lockstep
