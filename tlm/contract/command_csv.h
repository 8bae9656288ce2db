// Writes issued commands as CSV: ps,cycle,channel,command,bank_group,bank,row,column,source and, on
// demand, stack_id and blocked_by behind them. A coordinate that a command has not is left empty.
#pragma once

#include <cstdio>
#include <string>

#include "tlm/contract/command_record.h"

namespace lockstep {

class CommandCsv final : public CommandSink {
 public:
  // `file` must be open for writing and outlives the writer, which flushes it when destroyed.
  CommandCsv(std::FILE* file, Hertz clock);
  CommandCsv(const CommandCsv&) = delete;
  CommandCsv& operator=(const CommandCsv&) = delete;
  ~CommandCsv() override;

  void record(const CommandRecord& command) override;
  std::int64_t lines() const { return lines_; }

 private:
  void flush();

  std::FILE* file_;
  Hertz clock_;
  std::string buffer_;
  std::int64_t lines_ = 0;
};

}  // namespace lockstep
