#include "tests/rtl/pins/bank_mac_pins.h"

#include <utility>

#include "tlm/process.h"

namespace lockstep {
namespace {

Column lanes_of(const CommandPins::Data& data) {
  Column column;
  for (int lane = 0; lane < kMacLanes; ++lane)
    column[static_cast<std::size_t>(lane)] =
        static_cast<std::uint16_t>(data.range(16 * lane + 15, 16 * lane).to_uint());
  return column;
}

CommandPins::Data wide(const DrainBurst& burst) {
  CommandPins::Data data;
  for (int word = 0; word < kDrainWords; ++word)
    data.range(32 * word + 31, 32 * word) = burst[static_cast<std::size_t>(word)];
  return data;
}

}  // namespace

BankMacPins::BankMacPins(const sc_core::sc_module_name& name, unsigned bank, int period,
                         std::unique_ptr<MacUnit> unit)
    : sc_module(name), bank_(bank), period_(period), unit_(std::move(unit)) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&ck_i.pos());
  sc_core::sc_spawn([this] { rise(); }, "rise", &options);
}

// The pins show the command of the clock before. The unit's edges are at multiples of `period` CK,
// and a command waits for the next one.
void BankMacPins::rise() {
  decode();
  if (edges_++ % period_ == 0) clock_unit();
}

void BankMacPins::decode() {
  constexpr unsigned kWrGb = pin_code("WRGB"), kMacAb = pin_code("MACab"), kMvGb = pin_code("MVGB"),
                     kMvSb = pin_code("MVSB");
  const unsigned command = command_i.read();
  const bool mine = bank_i.read() == bank_;
  if (command == kWrGb) {
    if (columns_ > 0) {  // of the pass before
      global_buffer_.clear();
      clear(MacOp::kClearScores);
      axpy_ = false;
      columns_ = bursts_ = 0;
    }
    global_buffer_.push_back(lanes_of(data_i.read()));
  } else if (command == kMacAb) {
    mac(lanes_of(data_i.read()));
  } else if (command == kMvGb && mine) {
    axpy_ = true;
    columns_ = bursts_ = 0;
    Operation load;
    load.issue.op = MacOp::kLoadScalars;
    load.issue.column = lanes_of(data_i.read());
    due_.push_back(load);
    clear(MacOp::kClearLanes);
  } else if (command == kMvSb && mine) {
    Operation drain;
    drain.drains = true;
    drain.drain = {axpy_ ? MacBank::kLanes : MacBank::kScores,
                   static_cast<std::uint16_t>(bursts_++)};
    due_.push_back(drain);
  }
}

void BankMacPins::mac(const Column& column) {
  const int parts = unit_->parameters().column_parts;
  const int part = columns_ % parts;
  const int token = columns_ / parts;
  ++columns_;
  Operation beat;
  beat.issue.op = axpy_ ? MacOp::kAxpy : MacOp::kDot;
  beat.issue.index = static_cast<std::uint16_t>(axpy_ ? unit_->parameters().lane_set_index(0, part)
                                                      : unit_->parameters().score_index(0, token));
  beat.issue.scalar = static_cast<std::uint16_t>(unit_->parameters().scalar_index(0, token));
  beat.issue.column = column;
  if (!axpy_) beat.issue.operand = global_buffer_[static_cast<std::size_t>(part)];
  due_.push_back(beat);
}

void BankMacPins::clear(MacOp op) {
  Operation clear;
  clear.issue.op = op;
  due_.push_back(clear);
}

void BankMacPins::clock_unit() {
  if (due_.empty()) {
    unit_->clock(nullptr, nullptr);
    return;
  }
  const Operation& next = due_.front();
  const MacOutputs& seen =
      unit_->clock(next.drains ? nullptr : &next.issue, next.drains ? &next.drain : nullptr);
  if (next.drains && !seen.drained_valid) return;  // the pipeline is not empty yet
  if (next.drains) {
    data_o.write(wide(seen.drained));
    toggle_ = !toggle_;
    drained_o.write(toggle_);
  }
  due_.pop_front();
}

}  // namespace lockstep
