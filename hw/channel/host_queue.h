// Reads and writes that wait for their column command: FR-FCFS inside a window, with an age limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

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
  struct Pick {
    std::size_t index;
    Cmd cmd;
    TimingEngine::Bound bound;
  };

  explicit HostQueue(int window) : window_(static_cast<std::size_t>(window)) {}

  bool empty() const { return size() == 0; }
  std::size_t size() const { return entries_.size() - first_; }
  // `bank` is the index of request.at in the domain.
  void push(const HostRequest& request, int bank) {
    entries_.push_back({request, bank, Found::kNotSeen, request.arrival});
  }
  // Since when the oldest request can be chosen: a backlog outside the window does not age.
  Cycles oldest_since() const { return (*this)[0].in_window_since; }
  const Entry& operator[](std::size_t index) const { return entries_[first_ + index]; }

  // The command to issue next: the earliest, a column command before a row command, an older
  // request before a younger one. Nothing before `floor`. With kOldestOnly, of the oldest request
  // alone.
  enum class Among : std::uint8_t { kWindow, kOldestOnly };
  Pick pick(const TimingEngine& engine, const BankState& banks, Cycles floor, Among among) const;

  // Whether a request of the window other than `index` wants the same row.
  bool row_wanted_by_others(std::size_t index) const;
  void note_first_command(std::size_t index, Found found);
  void erase(std::size_t index, Cycles now);

  friend bool operator==(const HostQueue& a, const HostQueue& b) {
    return a.empty() && b.empty();  // ids differ: only empty queues are equal
  }

 private:
  std::size_t window_;
  std::vector<Entry> entries_;  // oldest first, from first_ on: those that go are near the front
  std::size_t first_ = 0;
};

}  // namespace lockstep
