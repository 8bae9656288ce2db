// The banks a recorded command works on, and which rows are open in them.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/dram/command.h"
#include "hw/stack/stack_config.h"
#include "tlm/contract/command_record.h"

namespace lockstep {

// `banks` banks, `step` apart, from `first_bank` of each of `channels` pseudo channels.
struct ReachedBanks {
  int first_channel = 0;
  int channels = 1;
  int first_bank = 0;  // in its pseudo channel, all SIDs counted through
  int banks = 0;
  int step = 1;
};

// No banks for commands that reach none, or do not say which.
ReachedBanks reached_banks(Cmd cmd, const CommandRecord& record, const StackConfig& config);

// The bank of a record in its pseudo channel; -1 if it names none.
int bank_index(const CommandRecord& record, const StackGeometry& geometry);

// The open rows of a stack as a trace tells them, with the row hits of each pseudo channel.
class OpenRows {
 public:
  static constexpr std::int32_t kClosed = -1;

  explicit OpenRows(const StackConfig& config);

  // Calls changed(channel, bank, row) for each bank whose row opens or closes.
  template <typename Changed>
  void apply(Cmd cmd, const CommandRecord& record, Changed&& changed) {
    const auto& command = traits(cmd);
    const ReachedBanks reached = reached_banks(cmd, record, config_);
    if (command.needs == Needs::kRowOpen) count_access(reached);
    if (command.effect == RowEffect::kNone) return;
    const std::int32_t row = command.effect == RowEffect::kOpens ? record.row : kClosed;
    for (int c = reached.first_channel; c < reached.first_channel + reached.channels; ++c) {
      for (int i = 0; i < reached.banks; ++i) {
        const int bank = reached.first_bank + i * reached.step;
        if (set(c, bank, row)) changed(c, bank, row);
      }
    }
  }

  int open_banks(int channel) const { return channels_[index(channel)].open; }
  // Accesses of an open row over all accesses, so far; 0 before the first.
  double hit_rate(int channel) const;

 private:
  struct Bank {
    std::int32_t row = kClosed;
    bool fresh = false;  // no access since its row was opened
  };
  struct Channel {
    int open = 0;
    std::int64_t accesses = 0;
    std::int64_t hits = 0;
  };
  static std::size_t index(int channel) { return static_cast<std::size_t>(channel); }
  Bank& bank(int channel, int bank) {
    return banks_[static_cast<std::size_t>(channel * banks_per_channel_ + bank)];
  }
  bool set(int channel, int bank, std::int32_t row);
  void count_access(const ReachedBanks& reached);

  const StackConfig config_;
  const int banks_per_channel_;
  std::vector<Bank> banks_;
  std::vector<Channel> channels_;
};

}  // namespace lockstep
