// Reads the commands back out of a VCD that vcd_trace.cpp wrote: each `s` change of a bus that is
// not to rest is one, with the coordinates that stand at its instant.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "sim/traces/command_names.h"
#include "sim/traces/field_line.h"
#include "sim/traces/trace_readers.h"
#include "sim/traces/vcd_signals.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct SignalPlace {
  int channel;
  VcdSignal signal;
};

class VcdReader {
 public:
  VcdReader(const std::string& path, const StackConfig& config, const CommandVisitor& visit)
      : fields_(path, ' '), config_(config), visit_(visit) {
    coordinates_.resize(static_cast<std::size_t>(config.geometry.flat_channels()));
  }

  void read() {
    while (fields_.next()) {
      const std::string_view first = fields_[0];
      if (first == "$scope" && fields_.count() == 4) enter(fields_[2]);
      if (first == "$var" && fields_.count() == 6) declare();
      if (first.front() == '#') advance(first.substr(1));
      if (fields_.count() == 2 && (first.front() == 'b' || first.front() == 's'))
        change(first.front(), first.substr(1));
    }
    give();
    fields_.finish();
  }

 private:
  void enter(std::string_view scope) {
    if (scope.substr(0, 2) != "ch") return;
    std::from_chars(scope.data() + 2, scope.data() + scope.size(), channel_);
    if (channel_ < 0 || channel_ >= config_.geometry.flat_channels())
      fields_.fault(2, "scope", "a channel of the stack");
  }

  void declare() {
    const auto row = std::find_if(kVcdSignals.begin(), kVcdSignals.end(),
                                  [&](const auto& signal) { return signal.name == fields_[4]; });
    if (row != kVcdSignals.end()) places_[std::string(fields_[3])] = {channel_, row->signal};
  }

  void advance(std::string_view digits) {
    give();
    std::from_chars(digits.data(), digits.data() + digits.size(), now_);
  }

  void change(char kind, std::string_view value) {
    const auto place = places_.find(fields_[1]);
    if (place == places_.end()) return;
    const auto [channel, signal] = place->second;
    const auto& row = kVcdSignals[static_cast<std::size_t>(signal)];
    auto& record =
        coordinates_[static_cast<std::size_t>(channel)][static_cast<std::size_t>(row.bus)];
    if (kind == 's') {
      if (value == "-") return;
      started_.push_back({channel, row.bus, command_of(value)});
    } else {
      std::int32_t number = -1;
      if (value != "z") std::from_chars(value.data(), value.data() + value.size(), number, 2);
      record.*row.value = number;
    }
  }

  // The commands of the instant that is over.
  void give() {
    for (const auto& [channel, bus, cmd] : started_) {
      TracedCommand command;
      command.line = fields_.line_number();
      command.at = {now_};
      command.record =
          coordinates_[static_cast<std::size_t>(channel)][static_cast<std::size_t>(bus)];
      command.record.cycle = cycle_of(now_);
      command.record.channel = channel;
      command.record.command = traits(cmd).name;
      visit_(command);
    }
    started_.clear();
  }

  Cycles cycle_of(std::int64_t ps) const {
    constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;
    const auto product = static_cast<WideInteger>(ps) * config_.clock.count;
    return {
        static_cast<std::int64_t>((product + kPicosecondsPerSecond / 2) / kPicosecondsPerSecond)};
  }

  struct Started {
    int channel;
    Bus bus;
    Cmd cmd;
  };
  FieldLines fields_;
  const StackConfig& config_;
  const CommandVisitor& visit_;
  std::map<std::string, SignalPlace, std::less<>> places_;
  std::vector<std::array<CommandRecord, 2>> coordinates_;  // of each channel and bus
  std::vector<Started> started_;
  int channel_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace

void read_vcd_trace(const std::string& path, const StackConfig& config,
                    const CommandVisitor& visit) {
  VcdReader(path, config, visit).read();
}

}  // namespace lockstep
