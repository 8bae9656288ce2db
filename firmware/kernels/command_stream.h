// Forms all-bank commands from the bursts of one channel, one burst at a time: what they cost in
// the study's score, and the row visits of the kernel that issues them.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "firmware/kernels/kv_layout.h"
#include "tlm/contract/pim_kernel.h"
#include "tlm/contract/span.h"

namespace lockstep {

enum class ReorderMode : std::uint8_t { kWindow, kInOrder };

struct NamedReorderMode {
  std::string_view name;
  ReorderMode mode;
};

constexpr NamedReorderMode kReorderModes[] = {
    {"window", ReorderMode::kWindow},
    {"inorder", ReorderMode::kInOrder},
};

constexpr int kMaxWindowBursts = 65535;

struct Reorder {
  ReorderMode mode = ReorderMode::kWindow;
  int window_bursts = 0;  // per channel, 1 … kMaxWindowBursts; read in window mode only
};

// Running counts of one channel.
struct CommandCounts {
  std::int64_t bursts = 0;
  std::int64_t commands = 0;
  std::int64_t misses = 0;
};

// Consecutive windows of bursts; inside one, bursts are grouped by row. A group takes as many
// commands as its busiest bank has bursts, and costs one miss unless its row was left open by the
// last burst of the window before.
//
// The visits of a window: the row that the last visit leaves open, then rows by first appearance,
// but the row of the window's last burst at the end, so that the row really left open is the one
// the score carries. They differ only if the last burst hits the open row of a window with others:
// the visits then end on another row, and the next window begins with that.
class WindowedCommands {
 public:
  WindowedCommands(int lanes, int window_bursts);

  void push(const Burst& granule, Span<Burst> offsets);
  // Brings visits() up to date, in O(rows of the partial window).
  void settle();

  const CommandCounts& counts() const { return counts_; }
  const RowVisits& visits() const { return visits_; }

 private:
  struct RowGroup {
    std::int32_t row = 0;
    std::int32_t column = 0;  // lowest of its first command
    std::int32_t commands = 0;
  };

  std::size_t group_of(std::int32_t row, std::int32_t column);
  void close_window();
  void append_window_visits();

  int lanes_;
  int window_bursts_;
  CommandCounts counts_;
  std::int32_t carried_row_;
  // The partial window.
  int window_fill_ = 0;
  std::vector<RowGroup> groups_;            // by first appearance
  std::vector<std::uint16_t> lane_bursts_;  // [group][lane]
  std::size_t last_group_ = 0;
  // Visits of whole windows, then those of the partial one.
  RowVisits visits_;
  std::size_t closed_visits_ = 0;
  std::int32_t last_closed_columns_ = 0;  // of the visit that a partial window may lengthen
  bool settled_ = true;
};

// A command ends when the row changes or a bank repeats (a full command is followed by either).
// It hits if the command before had its row.
class InOrderCommands {
 public:
  explicit InOrderCommands(int lanes);

  void push(const Burst& granule, Span<Burst> offsets);
  void settle() {}

  const CommandCounts& counts() const { return counts_; }
  const RowVisits& visits() const { return visits_; }

 private:
  CommandCounts counts_;
  std::vector<std::int64_t> lane_command_;  // number of the last command each lane took part in
  RowVisits visits_;
};

using CommandStream = std::variant<WindowedCommands, InOrderCommands>;

// Throws InputError if the window is out of range.
CommandStream make_command_stream(const Reorder& reorder, int lanes);

}  // namespace lockstep
