// What the checker remembers of a lockstep domain: when each bank, bank group, SID and pseudo
// channel last did what. Its size does not grow with the trace.
#pragma once

#include <algorithm>
#include <array>

#include "sim/check/findings.h"

namespace lockstep {

struct BankHistory {
  static constexpr std::int32_t kClosed = -1;
  std::int32_t row = kClosed;
  std::int32_t buffered = kClosed;  // the row in the second row buffer, where there is one
  Stamp opened;
  Stamp closed;  // its delay: until the precharge inside RDA or WRA begins
  Stamp read;    // by host or unit
  Stamp written;
  Stamp refreshed;  // REFpb
};

struct GroupHistory {
  Stamp opened;
  Stamp read;  // by the host
  Stamp written;
  Stamp mac;
  Stamp moved;
};

// The last four activations of a SID: a fifth within nFAW is one too many.
class ActivationWindow {
 public:
  // What `count` activations at once have to keep nFAW from.
  const Stamp& before(int count) const {
    return last_[static_cast<std::size_t>(kWindow - std::min(count, kWindow))];
  }
  void add(const Stamp& stamp, int count) {
    for (int i = 0; i < std::min(count, kWindow); ++i) {
      std::copy_backward(last_.begin(), last_.end() - 1, last_.end());
      last_.front() = stamp;
    }
  }

 private:
  static constexpr int kWindow = 4;
  std::array<Stamp, 4> last_;  // the latest first
};

struct SidHistory {
  ActivationWindow window;
  Stamp opened;
  Stamp read;       // by the host
  Stamp refreshed;  // REFpb
};

struct PseudoChannelHistory {
  Stamp row_bus;
  Stamp column_bus;
  Stamp opened;
  Stamp read;  // by the host
  Stamp written;
  Stamp moved;
  Stamp refreshed;            // REFab
  Stamp burst;                // the last on the data bus
  std::int64_t data_end = 0;  // the clock after it
};

// A run of equal items: of banks, groups, SIDs or pseudo channels, numbered through the domain.
struct Items {
  int first = 0;
  int count = 0;
  int step = 1;
};

// Calls visit(item) for each.
template <typename History, typename Visitor>
void for_each(std::vector<History>& all, Items items, Visitor&& visit) {
  History* item = all.data() + items.first;
  for (int i = 0; i < items.count; ++i, item += items.step) visit(*item);
}

// What a command reaches.
struct Footprint {
  Items banks;
  Items groups;
  Items sids;
  Items pseudo_channels;
};

}  // namespace lockstep
