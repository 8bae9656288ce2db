// One issued command, as traces tell it.
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/contract/mac_arithmetic.h"
#include "tlm/contract/units.h"

namespace lockstep {

struct CommandRecord {
  Cycles cycle;
  int channel = 0;  // flat pseudo channel; of a wider command, its first
  std::string_view command;
  int stack_id = -1;  // -1, here and below: the command has no such coordinate
  int bank_group = -1;
  int bank = -1;
  std::int32_t row = -1;
  std::int32_t column = -1;
  std::string_view source;      // host, pim or refresh
  std::string_view blocked_by;  // what it waited for last
  // The 32 B that WR, WRA and WRGB bring, during record(); nullptr: no data, or not all of a
  // column.
  const Column* data = nullptr;
};

class CommandSink {
 public:
  virtual ~CommandSink() = default;
  // In order of issue within a channel.
  virtual void record(const CommandRecord& command) = 0;
};

}  // namespace lockstep
