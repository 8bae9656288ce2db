#include "sim/traces/vcd_trace.h"

#include <algorithm>
#include <iterator>
#include <queue>
#include <vector>

#include <fmt/format.h>

#include "sim/traces/command_names.h"
#include "sim/traces/command_span.h"
#include "sim/traces/reached_banks.h"
#include "sim/traces/trace_file.h"
#include "sim/traces/vcd_signals.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::int32_t kAbsent = -1;

// A record without its texts.
struct Held {
  std::int64_t cycle;
  Cmd cmd;
  std::int16_t stack_id, bank_group, bank;
  std::int32_t channel, row, column;
};

// Writes held commands as value changes.
class VcdWriter {
 public:
  VcdWriter(TraceFile& file, const StackConfig& config)
      : file_(file), config_(config), rows_(config) {
    const auto channels = static_cast<std::size_t>(config.geometry.flat_channels());
    signals_per_channel_ = kVcdSignalCount + banks();
    busy_until_.resize(channels * signals_per_channel_, kAtRest);
  }

  void write(const std::vector<Held>& commands) {
    write_header();
    for (const auto& held : commands) {
      fall_before(held.cycle);
      write_command(held);
      file_.written();
    }
    fall_before(INT64_MAX);
  }

 private:
  std::size_t banks() const {
    return static_cast<std::size_t>(config_.geometry.banks_per_pseudo_channel());
  }
  std::size_t signal(int channel, VcdSignal which) const {
    return static_cast<std::size_t>(channel) * signals_per_channel_ +
           static_cast<std::size_t>(which);
  }

  void write_header() {
    auto out = std::back_inserter(file_.text());
    fmt::format_to(out, "$version Lockstep $end\n$timescale 1 ps $end\n$scope module stack $end\n");
    for (int c = 0; c < config_.geometry.flat_channels(); ++c) {
      fmt::format_to(out, "$scope module ch{} $end\n", c);
      for (const auto& row : kVcdSignals) declare(signal(c, row.signal), row.kind, row.name);
      for (std::size_t bank = 0; bank < banks(); ++bank) declare_bank(c, bank);
      fmt::format_to(out, "$upscope $end\n");
      file_.written();
    }
    fmt::format_to(out, "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n");
    for (int c = 0; c < config_.geometry.flat_channels(); ++c) write_initial(c);
    file_.text() += "$end\n";
    file_.written();
  }

  void declare(std::size_t id, VcdSignalTraits::Kind kind, std::string_view name) {
    const char* type = kind == VcdSignalTraits::Kind::kText     ? "string 1"
                       : kind == VcdSignalTraits::Kind::kNumber ? "reg 32"
                                                                : "wire 1";
    fmt::format_to(std::back_inserter(file_.text()), "$var {} {} {} $end\n", type,
                   vcd_identifier(id), name);
  }

  void declare_bank(int channel, std::size_t bank) {
    const auto& geometry = config_.geometry;
    const int index = static_cast<int>(bank);
    declare(signal(channel, VcdSignal{0}) + kVcdSignalCount + bank, VcdSignalTraits::Kind::kNumber,
            fmt::format("open_row_sid{}_bg{}_ba{}", index / geometry.banks_per_sid(),
                        index % geometry.banks_per_sid() / geometry.banks, index % geometry.banks));
  }

  void write_initial(int channel) {
    for (const auto& row : kVcdSignals) {
      const std::size_t id = signal(channel, row.signal);
      if (row.kind == VcdSignalTraits::Kind::kText) text(id, "-");
      if (row.kind == VcdSignalTraits::Kind::kNumber) number(id, kAbsent);
      if (row.kind == VcdSignalTraits::Kind::kFlag) flag(id, '0');
    }
    for (std::size_t bank = 0; bank < banks(); ++bank) {
      number(signal(channel, VcdSignal{0}) + kVcdSignalCount + bank, kAbsent);
    }
  }

  // IEEE 1364 has no strings; GTKWave and Surfer read `s` followed by the text.
  void text(std::size_t id, std::string_view value) {
    fmt::format_to(std::back_inserter(file_.text()), "s{} {}\n", value, vcd_identifier(id));
  }
  // What is not there is `z`.
  void number(std::size_t id, std::int32_t value) {
    if (value < 0) {
      fmt::format_to(std::back_inserter(file_.text()), "bz {}\n", vcd_identifier(id));
    } else {
      fmt::format_to(std::back_inserter(file_.text()), "b{:b} {}\n", value, vcd_identifier(id));
    }
  }
  void flag(std::size_t id, char value) {
    fmt::format_to(std::back_inserter(file_.text()), "{}{}\n", value, vcd_identifier(id));
  }

  void time(std::int64_t cycle) {
    if (cycle == now_) return;
    now_ = cycle;
    fmt::format_to(std::back_inserter(file_.text()), "#{}\n",
                   instant_of({cycle}, config_.clock).count);
  }

  void write_command(const Held& held) {
    time(held.cycle);
    const auto& command = traits(held.cmd);
    const CommandRecord record = record_of(held);
    for (const auto& row : kVcdSignals) {
      if (row.bus != command.bus || row.kind != VcdSignalTraits::Kind::kNumber) continue;
      number(signal(held.channel, row.signal), record.*row.value);
    }
    const auto bus = command.bus == Bus::kRow ? VcdSignal::kRowCommand : VcdSignal::kColumnCommand;
    text(signal(held.channel, bus), command.name);
    hold(signal(held.channel, bus), held.cycle + 1);
    raise_busy(held, record);
    rows_.apply(held.cmd, record, [&](int channel, int bank, std::int32_t row) {
      number(signal(channel, VcdSignal{0}) + kVcdSignalCount + static_cast<std::size_t>(bank), row);
    });
  }

  void raise_busy(const Held& held, const CommandRecord& record) {
    const auto& timing = config_.controller.timing;
    const std::int64_t end = held.cycle + command_span(held.cmd, timing).count;
    const ReachedBanks reached = reached_banks(held.cmd, record, config_);
    for (int c = reached.first_channel; c < reached.first_channel + reached.channels; ++c) {
      if (kMacs.contains(held.cmd)) raise(signal(c, VcdSignal::kUnitsBusy), end);
      if (kRefreshes.contains(held.cmd)) raise(signal(c, VcdSignal::kRefreshing), end);
    }
    if (kBusReads.contains(held.cmd) || kBusWrites.contains(held.cmd))
      raise(signal(held.channel, VcdSignal::kDataBusBusy), end);
  }

  void raise(std::size_t id, std::int64_t to) {
    if (busy_until_[id] == kAtRest) flag(id, '1');
    hold(id, std::max(to, busy_until_[id]));
  }

  // The signal goes back to rest at `until`, unless it is held again until then.
  void hold(std::size_t id, std::int64_t until) {
    busy_until_[id] = until;
    falls_.push({until, id});
  }

  // What is held again in the same clock does not fall in between.
  void fall_before(std::int64_t cycle) {
    while (!falls_.empty() && falls_.top().first < cycle) {
      const auto [at, id] = falls_.top();
      falls_.pop();
      if (busy_until_[id] != at) continue;
      busy_until_[id] = kAtRest;
      time(at);
      const auto which = id % signals_per_channel_;
      if (kVcdSignals[which].kind == VcdSignalTraits::Kind::kText) {
        text(id, "-");
      } else {
        flag(id, '0');
      }
    }
  }

  static CommandRecord record_of(const Held& held) {
    CommandRecord record;
    record.cycle = {held.cycle};
    record.channel = held.channel;
    record.stack_id = held.stack_id;
    record.bank_group = held.bank_group;
    record.bank = held.bank;
    record.row = held.row;
    record.column = held.column;
    return record;
  }

  static constexpr std::int64_t kAtRest = -1;
  using Fall = std::pair<std::int64_t, std::size_t>;
  TraceFile& file_;
  const StackConfig& config_;
  OpenRows rows_;
  std::size_t signals_per_channel_;
  std::vector<std::int64_t> busy_until_;  // of each signal that falls by itself
  std::priority_queue<Fall, std::vector<Fall>, std::greater<>> falls_;
  std::int64_t now_ = 0;
};

// The signals of the channels that had commands, one group a channel, all that fits one screen.
void write_save_file(const std::string& vcd, const std::vector<Held>& commands) {
  TraceFile file(vcd.substr(0, vcd.rfind(".vcd")) + ".gtkw");
  auto out = std::back_inserter(file.text());
  fmt::format_to(out, "[dumpfile] \"{}\"\n[timestart] 0\n*-16.0\n", vcd);
  std::vector<int> channels;
  for (const auto& held : commands) channels.push_back(held.channel);
  std::sort(channels.begin(), channels.end());
  channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
  constexpr const char* kUnsignedDecimal = "@24\n";
  constexpr const char* kComment = "@200\n";
  for (const int channel : channels) {
    fmt::format_to(out, "{}-pseudo channel {}\n{}", kComment, channel, kUnsignedDecimal);
    for (const auto& row : kVcdSignals) {
      const bool wide = row.kind == VcdSignalTraits::Kind::kNumber;
      fmt::format_to(out, "stack.ch{}.{}{}\n", channel, row.name, wide ? "[31:0]" : "");
    }
  }
  file.close();
}

class VcdTrace final : public TraceSink {
 public:
  VcdTrace(const std::string& path, const StackConfig& config) : file_(path), config_(config) {}
  ~VcdTrace() override {
    try {
      close();
    } catch (const InputError&) {
      // A destructor has nobody to tell that the disk is full; close() does.
    }
  }

  void record(const CommandRecord& c) override {
    held_.push_back({c.cycle.count, command_of(c.command), static_cast<std::int16_t>(c.stack_id),
                     static_cast<std::int16_t>(c.bank_group), static_cast<std::int16_t>(c.bank),
                     c.channel, c.row, c.column});
  }

  void close() override {
    if (!file_.is_open()) return;
    write();
    file_.close();
    write_save_file(file_.path(), held_);
  }

 private:
  void write() {
    const auto earlier = [](const Held& a, const Held& b) { return a.cycle < b.cycle; };
    std::stable_sort(held_.begin(), held_.end(), earlier);
    VcdWriter(file_, config_).write(held_);
  }

  TraceFile file_;
  const StackConfig config_;
  std::vector<Held> held_;
};

}  // namespace

std::unique_ptr<TraceSink> make_vcd_trace(const std::string& path, const StackConfig& config) {
  return std::make_unique<VcdTrace>(path, config);
}

}  // namespace lockstep
