#include "sim/traces/perfetto_trace.h"

#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "sim/traces/command_names.h"
#include "sim/traces/command_span.h"
#include "sim/traces/reached_banks.h"
#include "sim/traces/trace_file.h"

namespace lockstep {
namespace {

// Threads of a process that are no banks come first; bank b is thread kUnits + b.
constexpr std::string_view kUnits[] = {"all banks", "second half of the banks",
                                       "same bank of every group", "buffer die moves", "softmax"};
constexpr int kUnitCount = static_cast<int>(std::size(kUnits));

int thread_of(Cmd cmd, const CommandRecord& record, const StackGeometry& geometry) {
  const bool moves = kMoves.contains(cmd);
  if (cmd == Cmd::SFM) return 4;
  if (moves) return 3;
  switch (traits(cmd).scope) {
    case Scope::kLockstep:
      return record.bank_group > 0 ? 1 : 0;
    case Scope::kPseudoChannel:
      return 0;
    case Scope::kSameBank:
      return 2;
    case Scope::kBank:
      break;
  }
  return kUnitCount + bank_index(record, geometry);
}

class PerfettoTrace final : public TraceSink {
 public:
  PerfettoTrace(const std::string& path, const StackConfig& config)
      : file_(path),
        config_(config),
        rows_(config),
        threads_(
            static_cast<std::size_t>(config.geometry.flat_channels() * threads_per_channel())) {
    file_.text() = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  }
  ~PerfettoTrace() override {
    if (file_.is_open()) file_.text() += kEnd;
  }

  void record(const CommandRecord& command) override {
    const Cmd cmd = command_of(command.command);
    const int thread = thread_of(cmd, command, config_.geometry);
    name_thread(command.channel, thread);
    write_event(cmd, command, thread);
    bool changed = false;
    rows_.apply(cmd, command, [&](int, int, std::int32_t) { changed = true; });
    if (changed) write_counters(cmd, command);
    file_.written();
  }

  void close() override {
    if (!file_.is_open()) return;
    file_.text() += kEnd;
    file_.close();
  }

 private:
  static constexpr const char* kEnd = "\n]}\n";

  int threads_per_channel() const {
    return kUnitCount + config_.geometry.banks_per_pseudo_channel();
  }

  template <typename... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    file_.text() += first_ ? "\n" : ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(file_.text()), format, std::forward<Args>(args)...);
  }

  // Microseconds with the picoseconds behind the point.
  std::string microseconds(Cycles cycle) const {
    constexpr std::int64_t kPicosecondsPerMicrosecond = 1'000'000;
    const std::int64_t ps = instant_of(cycle, config_.clock).count;
    return fmt::format("{}.{:06}", ps / kPicosecondsPerMicrosecond,
                       ps % kPicosecondsPerMicrosecond);
  }

  void name_thread(int channel, int thread) {
    const auto first = static_cast<std::size_t>(channel * threads_per_channel());
    auto known = threads_.begin() + static_cast<std::ptrdiff_t>(first);
    if (known[thread]) return;
    bool any = false;
    for (int t = 0; t < threads_per_channel(); ++t) any |= known[t];
    known[thread] = true;
    if (!any) {
      write(R"({{"name":"process_name","ph":"M","pid":{},"args":{{"name":"pseudo channel {}"}}}})",
            channel, channel);
    }
    write(R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}})", channel,
          thread, thread_name(thread));
    write(R"({{"name":"thread_sort_index","ph":"M","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
          channel, thread, thread);
  }

  std::string thread_name(int thread) const {
    if (thread < kUnitCount) return std::string(kUnits[thread]);
    const int bank = thread - kUnitCount;
    const auto& geometry = config_.geometry;
    return fmt::format("SID {} group {} bank {}", bank / geometry.banks_per_sid(),
                       bank % geometry.banks_per_sid() / geometry.banks, bank % geometry.banks);
  }

  void write_event(Cmd cmd, const CommandRecord& command, int thread) {
    const Cycles span = command_span(cmd, config_.controller.timing);
    write(R"({{"name":"{}","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},"args":{{"cycle":{})",
          command.command, microseconds(command.cycle), microseconds(span), command.channel, thread,
          command.cycle.count);
    coordinate("stack_id", command.stack_id);
    coordinate("bank_group", command.bank_group);
    coordinate("bank", command.bank);
    coordinate("row", command.row);
    coordinate("column", command.column);
    text("source", command.source);
    text("blocked_by", command.blocked_by);
    file_.text() += "}}";
  }

  void coordinate(std::string_view key, std::int64_t value) {
    if (value >= 0) fmt::format_to(std::back_inserter(file_.text()), ",\"{}\":{}", key, value);
  }
  void text(std::string_view key, std::string_view value) {
    if (!value.empty())
      fmt::format_to(std::back_inserter(file_.text()), ",\"{}\":\"{}\"", key, value);
  }

  void write_counters(Cmd cmd, const CommandRecord& command) {
    const ReachedBanks reached = reached_banks(cmd, command, config_);
    const std::string at = microseconds(command.cycle);
    for (int c = reached.first_channel; c < reached.first_channel + reached.channels; ++c) {
      write(R"({{"name":"open banks","ph":"C","ts":{},"pid":{},"args":{{"banks":{}}}}})", at, c,
            rows_.open_banks(c));
      write(R"({{"name":"row hit rate","ph":"C","ts":{},"pid":{},"args":{{"ratio":{:.4f}}}}})", at,
            c, rows_.hit_rate(c));
    }
  }

  TraceFile file_;
  const StackConfig config_;
  OpenRows rows_;
  std::vector<bool> threads_;  // those that have a name, by pseudo channel
  bool first_ = true;
};

}  // namespace

std::unique_ptr<TraceSink> make_perfetto_trace(const std::string& path, const StackConfig& config) {
  return std::make_unique<PerfettoTrace>(path, config);
}

}  // namespace lockstep
