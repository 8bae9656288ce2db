// Which row each bank of a domain has open. One state for host and PIM commands: no bank can have
// two rows open, whoever opened them.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/dram/topology.h"

namespace lockstep {

class BankState {
 public:
  static constexpr std::int32_t kClosed = -1;
  static constexpr std::int32_t kMixed = -2;

  explicit BankState(const Topology& topology);

  // The row open in one bank, or kClosed.
  std::int32_t open_row(BankAddress at) const { return rows_[bank(at)]; }
  std::int32_t open_row(int bank) const { return rows_[static_cast<std::size_t>(bank)]; }
  // The row open in all banks of the lockstep scope of `at`; kClosed if all are closed; else
  // kMixed.
  std::int32_t lockstep_row(BankAddress at) const;
  // The row that the second row buffers of the scope hold for MAC commands, kClosed without them;
  // latch() moves the open row there.
  std::int32_t latched_row(BankAddress at) const { return groups_[group(at)].latched; }
  void latch(BankAddress at) { groups_[group(at)].latched = lockstep_row(at); }
  // The same for one bank of every group (MACsb, ACTsb).
  std::int32_t same_bank_row(BankAddress at) const;
  bool all_closed(int pseudo_channel) const;

  // Opens or closes rows as `cmd` does. Requires what the command's row in kCommands needs.
  void apply(Cmd cmd, BankAddress at, std::int32_t row);

  std::int64_t activations() const { return activations_; }  // of single banks
  std::int64_t precharges() const { return precharges_; }
  std::int64_t open_banks() const;
  friend bool operator==(const BankState& a, const BankState& b);

 private:
  struct Group {
    std::int32_t open = 0;       // banks with an open row
    std::int32_t row = kClosed;  // what all banks have open, kClosed, or kMixed: look
    std::int32_t latched = kClosed;
  };

  std::size_t bank(BankAddress at) const {
    return static_cast<std::size_t>(topology_.index(Level::kBank, at));
  }
  std::size_t group(BankAddress at) const {
    return static_cast<std::size_t>(topology_.index(topology_.lockstep, at));
  }
  void set(BankAddress at, std::int32_t row);
  void set_all(BankAddress at, std::int32_t row);

  Topology topology_;
  std::int32_t group_size_;
  std::vector<std::int32_t> rows_;
  std::vector<Group> groups_;
  std::int64_t activations_ = 0;
  std::int64_t precharges_ = 0;
};

}  // namespace lockstep
