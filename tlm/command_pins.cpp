#include "tlm/command_pins.h"

#include <algorithm>
#include <utility>

#include "tlm/contract/errors.h"
#include "tlm/process.h"

namespace lockstep {
namespace {

// As on HBM, columns have a bus of their own.
constexpr std::array<std::string_view, 10> kOnColumnBus = {"RD",    "RDA",  "WR",   "WRA",  "MACab",
                                                           "MACsb", "WRGB", "MVSB", "MVGB", "SFM"};

bool on_column_bus(std::string_view command) {
  return std::find(kOnColumnBus.begin(), kOnColumnBus.end(), command) != kOnColumnBus.end();
}

unsigned at_least_0(int coordinate) {
  return static_cast<unsigned>(std::max(coordinate, 0));
}

CommandPins::Data wide(const Column& column) {
  CommandPins::Data data;
  for (int lane = 0; lane < kMacLanes; ++lane)
    data.range(16 * lane + 15, 16 * lane) = column[static_cast<std::size_t>(lane)];
  return data;
}

}  // namespace

CommandPins::CommandPins(const sc_core::sc_module_name& name, const Clock& clock, int channel,
                         Cycles idle, DataSource source)
    : sc_module(name), clock_(clock), channel_(channel), idle_(idle), source_(std::move(source)) {
  spawn_method("edges", edge_event_, [this] { edge(); });
}

void CommandPins::record(const CommandRecord& command) {
  if (command.channel != channel_) return;
  const Cycles now = clock_.now();
  ensure(command.cycle >= now, "pins show every command in its clock: run at command level");
  Waiting waiting{};
  waiting.on_column_bus = on_column_bus(command.command);
  waiting.code = pin_code(command.command);
  ensure(waiting.code != kPinNop, "kPinCommands has a code for every command");
  waiting.bank = at_least_0(command.stack_id) << 6 | at_least_0(command.bank_group) << 3 |
                 at_least_0(command.bank);
  waiting.row = command.row;
  waiting.column = command.column;
  waiting.cycle = command.cycle;
  if (source_) {
    waiting.has_data = source_(command, waiting.data);
  } else if (command.data != nullptr) {
    waiting.has_data = true;
    waiting.data = *command.data;
  }
  waiting_.push_back(waiting);
  last_ = command.cycle;
  if (!resting_) return;
  resting_ = false;
  high_ = false;
  edge_event_.notify(clock_.until(now));
}

// A rising edge at the instant of each clock, a falling one half a clock behind.
void CommandPins::edge() {
  high_ = !high_;
  ck_o.write(high_);
  if (high_) {
    cycle_ = clock_.now();
    const auto whole = clock_.until(cycle_ + Cycles{1});
    return edge_event_.notify(sc_core::sc_time::from_value(whole.value() / 2));
  }
  drive();
  resting_ = waiting_.empty() && cycle_ > last_ + idle_;
  if (!resting_) edge_event_.notify(clock_.until(cycle_ + Cycles{1}));
}

void CommandPins::drive() {
  const Waiting* row = nullptr;
  const Waiting* column = nullptr;
  std::size_t driven = 0;
  while (driven < waiting_.size() && waiting_[driven].cycle <= cycle_) {
    const Waiting& next = waiting_[driven++];
    const Waiting*& bus = next.on_column_bus ? column : row;
    ensure(bus == nullptr, "a command bus carries one command a clock");
    bus = &next;
  }
  set(row_bus, row);
  set(column_bus, column);
  column_o.write(column != nullptr ? at_least_0(column->column) : 0);
  data_o.write(column != nullptr && column->has_data ? wide(column->data) : Data(0));
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(driven));
}

void CommandPins::set(Bus& bus, const Waiting* command) {
  bus.command.write(command != nullptr ? command->code : kPinNop);
  bus.bank.write(command != nullptr ? command->bank : 0);
  bus.row.write(command != nullptr ? at_least_0(command->row) : 0);
}

}  // namespace lockstep
