// Reads and writes that wait for their column command: FR-FCFS inside a window, with an age limit
// and a write drain. A column is read and written in the order of the requests for it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "hw/channel/write_drain.h"
#include "hw/dram/bank_state.h"
#include "hw/dram/timing_engine.h"

namespace lockstep {

enum class HostOp : std::uint8_t { kRead, kWrite };

// One column access. `id` is the caller's, given back on completion. Where banks hold data, it
// concerns `bytes` bytes of the column from `first_byte` on, at `data`; nullptr: timing only.
struct HostRequest {
  std::uint64_t id = 0;
  HostOp op = HostOp::kRead;
  BankAddress at;
  std::int32_t row = 0;
  std::int32_t column = 0;
  Cycles arrival;
  std::uint8_t* data = nullptr;
  int first_byte = 0;
  int bytes = 0;
};

class HostQueue {
 public:
  enum class Found : std::uint8_t { kNotSeen, kHit, kClosed, kConflict };
  struct Entry {
    HostRequest request;
    int bank = 0;                   // its index in the domain
    Found found = Found::kNotSeen;  // the row's state when its first command was issued
    Cycles in_window_since;         // of use only once it is there
  };
  // `slot` names the request until it is erased.
  struct Pick {
    int slot;
    Cmd cmd;
  };

  HostQueue(int window, WriteDrainConfig drain, int banks);

  bool empty() const { return size() == 0; }
  std::size_t size() const { return in_window_[0] + in_window_[1] + backlog_.size(); }
  // `bank` is the index of request.at in the domain.
  void push(const HostRequest& request, int bank);
  // Since when the oldest request can be chosen: a backlog outside the window does not age.
  Cycles oldest_since() const { return entry(oldest_).in_window_since; }
  const Entry& entry(int slot) const { return slots_[static_cast<std::size_t>(slot)].entry; }

  // The command to issue next: the earliest, a column command before a row command, an older
  // request before a younger one. Nothing before `floor`. With kOldestOnly, of the oldest request
  // alone. Requires a request.
  enum class Among : std::uint8_t { kWindow, kOldestOnly };
  Pick pick(const TimingEngine& engine, const BankState& banks, Cycles floor, Among among);

  // Whether a request of the window other than that of `slot` wants the same row.
  bool row_wanted_by_others(int slot) const;
  void note_first_command(int slot, Found found);
  void erase(int slot, Cycles now);

  friend bool operator==(const HostQueue& a, const HostQueue& b) {
    return a.empty() && b.empty();  // ids differ: only empty queues are equal
  }

 private:
  static constexpr int kNone = -1;

  // A place in the window, in the list of all by age and in that of its bank by age.
  struct Slot {
    Entry entry;
    std::uint64_t age = 0;
    int older = kNone;
    int younger = kNone;
    int younger_of_bank = kNone;
  };
  // The requests of one bank, and the oldest of each kind that may go, by operation, as of
  // `open_row`.
  struct Bank {
    int oldest = kNone;
    int requests = 0;
    int writes = 0;
    bool known = false;
    std::int32_t open_row = 0;
    std::array<int, 2> hit{kNone, kNone};
    std::array<int, 2> other{kNone, kNone};
  };
  struct Best;

  void enter_window(const Entry& entry);
  void look_at(Bank& bank, std::int32_t open_row) const;
  bool follows_same_column(const Bank& bank, int slot) const;
  void consider(int slot, bool is_hit, const TimingEngine& engine, std::int32_t open_row,
                Cycles floor, Best& best) const;
  Slot& at(int slot) { return slots_[static_cast<std::size_t>(slot)]; }
  const Slot& at(int slot) const { return slots_[static_cast<std::size_t>(slot)]; }

  std::size_t window_;
  WriteDrain drain_;
  std::vector<Slot> slots_;  // grows up to the window
  std::vector<int> free_;
  std::array<std::size_t, 2> in_window_{};  // by operation
  int oldest_ = kNone;
  int youngest_ = kNone;
  std::uint64_t next_age_ = 0;
  std::vector<Bank> banks_;
  std::vector<int> busy_banks_;  // with requests in the window, in no order
  std::deque<Entry> backlog_;    // behind the window, oldest first
};

}  // namespace lockstep
