// Every command of a controller, one by one, for comparison with a recorded trace.
#pragma once

#include <vector>

#include "hw/channel/command_observer.h"

namespace lockstep {

class CommandLog final : public CommandObserver {
 public:
  struct Entry {
    Cycles cycle;
    Cmd cmd;
    Source source;
    BankAddress at;
    std::int32_t row;
    std::int32_t column;
  };

  void on_commands(const IssuedCommands& issued) override {
    for (std::int64_t i = 0; i < issued.count; ++i) {
      entries_.push_back({issued.first + i * issued.spacing, issued.cmd, issued.source, issued.at,
                          issued.row, issued.column_of(i)});
    }
  }

  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<std::int64_t> cycles_of(Cmd cmd) const {
    std::vector<std::int64_t> cycles;
    for (const auto& entry : entries_) {
      if (entry.cmd == cmd) cycles.push_back(entry.cycle.count);
    }
    return cycles;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace lockstep
