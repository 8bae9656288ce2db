// Commands of real controllers to write traces of: two domains, host and PIM work, refresh.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "hw/channel/channel_controller.h"
#include "hw/stack/channel_recorder.h"
#include "tests/sim/check/check_stack.h"
#include "tlm/contract/command_record.h"

namespace lockstep {

class CommandList final : public CommandSink {
 public:
  void record(const CommandRecord& command) override { commands.push_back(command); }
  std::vector<CommandRecord> commands;
};

inline StackConfig sample_stack() {
  StackConfig config = check_stack();
  set_scope(config, AllBankScope::kChannel, StackIdScope::kAll, 2);
  config.controller.refresh = {RefreshMode::kAllBank, 0, 0};
  return config;
}

// One domain after the other, so that time starts again in the middle.
inline std::vector<CommandRecord> sample_commands(const StackConfig& config) {
  CommandList list;
  for (int domain = 0; domain < 2; ++domain) {
    ChannelRecorder recorder(config, domain, list);
    ChannelController controller(config.controller);
    controller.set_observer(&recorder);
    std::mt19937_64 random(static_cast<std::uint64_t>(domain + 1));
    auto kernel = std::make_shared<PimKernel>();
    const auto add = [&](PimOp op, std::int32_t row, std::int32_t columns, std::int32_t repeats) {
      PimRun run;
      run.op = op;
      run.stack_id = 1;
      run.bank_group = 1;
      run.bank = 2;
      run.row = row;
      run.columns = columns;
      run.repeats = repeats;
      kernel->push_back(run);
    };
    add(PimOp::kWrGb, 0, 4, 1);
    for (int row = 0; row < 5; ++row) add(PimOp::kMacAb, row, 20, 2);
    add(PimOp::kMacSb, 9, 4, 1);
    add(PimOp::kMvSb, 0, 3, 1);
    add(PimOp::kSfm, 0, 1, 1);
    controller.push(KernelRequest{7, std::move(kernel), {0}});
    controller.advance({3000});
    for (int i = 0; i < 60; ++i) {
      HostRequest request;
      request.op = random() % 3 == 0 ? HostOp::kWrite : HostOp::kRead;
      request.at = {static_cast<int>(random() % 2), static_cast<int>(random() % 2),
                    static_cast<int>(random() % 4), static_cast<int>(random() % 4)};
      request.row = static_cast<std::int32_t>(random() % 4);
      request.column = static_cast<std::int32_t>(random() % 32);
      request.arrival = {3000};
      controller.push(request);
    }
    controller.advance({25'000});
  }
  return list.commands;
}

// A file name that is gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& extension)
      : path_(std::filesystem::temp_directory_path() /
              ("lockstep_trace_" + std::to_string(::getpid()) + extension)) {}
  ~TemporaryFile() {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_.replace_extension(".gtkw"));
  }
  std::string path() const { return path_.string(); }
  std::string text() const {
    std::ifstream stream(path_, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lockstep
