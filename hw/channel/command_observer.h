// What a controller tells those who watch it: recorder, functional units, waveforms.
#pragma once

#include <cstdint>

#include "hw/channel/stats.h"
#include "hw/dram/command.h"
#include "hw/dram/topology.h"
#include "tlm/contract/pim_isa.h"
#include "tlm/contract/units.h"

namespace lockstep {

struct HostRequest;
struct KernelRequest;

enum class Source : std::uint8_t { kHost, kPim, kRefresh };
constexpr std::array<std::string_view, 3> kSources = {"host", "pim", "refresh"};

// `count` equal commands, the first at `first` and each `spacing` after the one before.
struct IssuedCommands {
  Cmd cmd = Cmd::ACT;
  Source source = Source::kHost;
  BankAddress at;
  std::int32_t row = 0;
  Cycles first;
  Cycles spacing;
  std::int64_t count = 1;
  Reason reason = 0;          // why the first did not go earlier
  Reason spacing_reason = 0;  // and the others
  // Of a PIM column command: its run, and how many of the run's commands went before.
  const PimRun* run = nullptr;
  std::int64_t run_position = 0;
  std::int32_t column = 0;  // of the first
  std::uint64_t id = 0;     // of the request or kernel
  // Good during on_commands: what the commands are for; nullptr for what they are not.
  const HostRequest* request = nullptr;
  const KernelRequest* kernel = nullptr;
  // Column of the i-th command: each column is accessed `repeats` times.
  std::int32_t column_of(std::int64_t i) const {
    if (run == nullptr) return column;
    return run->column + static_cast<std::int32_t>((run_position + i) / run->repeats);
  }
};

class CommandObserver {
 public:
  virtual ~CommandObserver() = default;
  // In the order of issue.
  virtual void on_commands(const IssuedCommands& issued) = 0;
};

}  // namespace lockstep
