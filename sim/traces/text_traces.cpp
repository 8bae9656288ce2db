#include "sim/traces/text_traces.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "hw/channel/command_observer.h"
#include "sim/traces/command_names.h"
#include "sim/traces/trace_file.h"
#include "tlm/contract/command_csv.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

class CsvTrace final : public TraceSink {
 public:
  CsvTrace(const std::string& path, Hertz clock)
      : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) refuse();
    csv_.emplace(file_, clock);
  }
  ~CsvTrace() override {
    csv_.reset();
    if (file_ != nullptr) std::fclose(file_);
  }

  void record(const CommandRecord& command) override { csv_->record(command); }
  void close() override {
    if (file_ == nullptr) return;
    csv_.reset();
    const bool failed = std::ferror(file_) != 0;
    std::FILE* const file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0 || failed) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    throw InputError(path_ + ": expected a place to write to, got: " + std::strerror(errno));
  }

  std::string path_;
  std::FILE* file_;
  std::optional<CommandCsv> csv_;
};

class DramSim3Trace final : public TraceSink {
 public:
  explicit DramSim3Trace(const std::string& path) : file_(path) {}

  void record(const CommandRecord& c) override {
    fmt::format_to(std::back_inserter(file_.text()),
                   "{:<18} {:<20} {:>3} {:>3} {:>3} {:>3} {:>#8x} {:>#8x}\n", c.cycle.count,
                   names_of_command(command_of(c.command)).dramsim3, c.channel, c.stack_id,
                   c.bank_group, c.bank, c.row, c.column);
    file_.written();
  }
  void close() override { file_.close(); }

 private:
  TraceFile file_;
};

class RamulatorTrace final : public TraceSink {
 public:
  RamulatorTrace(const std::string& path, int pseudo_channels)
      : file_(path), pseudo_channels_(pseudo_channels) {
    file_.text() =
        "clock,command,Channel,PseudoChannel,Sid,BankGroup,Bank,Row,Column,type,source\n";
  }

  void record(const CommandRecord& c) override {
    const Cmd cmd = command_of(c.command);
    const int type = kReads.contains(cmd) ? 0 : kWrites.contains(cmd) ? 1 : -1;
    const auto source = std::find(kSources.begin(), kSources.end(), c.source);
    fmt::format_to(std::back_inserter(file_.text()), "{},{},{},{},{},{},{},{},{},{},{}\n",
                   c.cycle.count, names_of_command(cmd).ramulator, c.channel / pseudo_channels_,
                   c.channel % pseudo_channels_, c.stack_id, c.bank_group, c.bank, c.row, c.column,
                   type, source == kSources.end() ? -1 : source - kSources.begin());
    file_.written();
  }
  void close() override { file_.close(); }

 private:
  TraceFile file_;
  int pseudo_channels_;
};

}  // namespace

std::unique_ptr<TraceSink> make_csv_trace(const std::string& path, const StackConfig& config) {
  return std::make_unique<CsvTrace>(path, config.clock);
}

std::unique_ptr<TraceSink> make_dramsim3_trace(const std::string& path, const StackConfig&) {
  return std::make_unique<DramSim3Trace>(path);
}

std::unique_ptr<TraceSink> make_ramulator_trace(const std::string& path,
                                                const StackConfig& config) {
  return std::make_unique<RamulatorTrace>(path, config.geometry.pseudo_channels);
}

}  // namespace lockstep
