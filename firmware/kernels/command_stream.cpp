#include "firmware/kernels/command_stream.h"

#include <algorithm>

#include <fmt/format.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::int32_t kNoRow = -1;

std::int32_t open_row(const RowVisits& visits) {
  return visits.empty() ? kNoRow : visits.back().row;
}

}  // namespace

WindowedCommands::WindowedCommands(int lanes, int window_bursts)
    : lanes_(lanes), window_bursts_(window_bursts), carried_row_(kNoRow) {}

// Most bursts have the row of the burst before.
std::size_t WindowedCommands::group_of(std::int32_t row, std::int32_t column) {
  if (last_group_ < groups_.size() && groups_[last_group_].row == row) return last_group_;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].row == row) return i;
  }
  groups_.push_back({row, column, 0});
  lane_bursts_.resize(lane_bursts_.size() + static_cast<std::size_t>(lanes_), 0);
  if (row != carried_row_) ++counts_.misses;
  return groups_.size() - 1;
}

void WindowedCommands::push(const Burst& granule, Span<Burst> offsets) {
  settled_ = false;
  for (const auto& offset : offsets) {
    const auto lane = static_cast<std::size_t>(granule.lane | offset.lane);
    const auto column = granule.column | offset.column;
    last_group_ = group_of(granule.row | offset.row, column);
    auto& group = groups_[last_group_];
    auto& bursts = lane_bursts_[last_group_ * static_cast<std::size_t>(lanes_) + lane];
    if (bursts == 0) group.column = std::min(group.column, column);
    if (++bursts > group.commands) {
      ++group.commands;
      ++counts_.commands;
    }
    ++counts_.bursts;
    if (++window_fill_ == window_bursts_) close_window();
  }
}

void WindowedCommands::close_window() {
  append_window_visits();
  closed_visits_ = visits_.size();
  last_closed_columns_ = visits_.back().columns;
  carried_row_ = groups_[last_group_].row;
  window_fill_ = 0;
  groups_.clear();
  lane_bursts_.clear();
  last_group_ = 0;
}

void WindowedCommands::settle() {
  if (settled_) return;
  append_window_visits();
  settled_ = true;
}

void WindowedCommands::append_window_visits() {
  visits_.resize(closed_visits_);
  if (!visits_.empty()) visits_.back().columns = last_closed_columns_;
  if (groups_.empty()) return;
  const auto first_row = open_row(visits_);
  const auto last_row = groups_[last_group_].row;
  for (const auto& group : groups_) {
    if (group.row == first_row) visits_.back().columns += group.commands;
  }
  for (const auto& group : groups_) {
    if (group.row == first_row || group.row == last_row) continue;
    visits_.push_back({group.row, group.column, group.commands});
  }
  if (last_row != first_row) {
    const auto& group = groups_[last_group_];
    visits_.push_back({group.row, group.column, group.commands});
  }
}

InOrderCommands::InOrderCommands(int lanes) : lane_command_(static_cast<std::size_t>(lanes), 0) {}

void InOrderCommands::push(const Burst& granule, Span<Burst> offsets) {
  for (const auto& offset : offsets) {
    const auto row = granule.row | offset.row;
    const auto column = granule.column | offset.column;
    auto& lane_command = lane_command_[static_cast<std::size_t>(granule.lane | offset.lane)];
    ++counts_.bursts;
    if (row != open_row(visits_)) {
      ++counts_.commands;
      ++counts_.misses;
      visits_.push_back({row, column, 1});
    } else if (lane_command == counts_.commands) {
      ++counts_.commands;
      ++visits_.back().columns;
    } else if (visits_.back().columns == 1) {
      visits_.back().column = std::min(visits_.back().column, column);
    }
    lane_command = counts_.commands;
  }
}

CommandStream make_command_stream(const Reorder& reorder, int lanes) {
  if (reorder.mode == ReorderMode::kInOrder) return InOrderCommands(lanes);
  if (reorder.window_bursts < 1 || reorder.window_bursts > kMaxWindowBursts) {
    throw InputError(fmt::format("a reorder window must hold 1 to {} bursts, but window is {}",
                                 kMaxWindowBursts, reorder.window_bursts));
  }
  return WindowedCommands(lanes, reorder.window_bursts);
}

}  // namespace lockstep
