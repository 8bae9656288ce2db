// Drives one controller in tests: what to ask of it, and running it until it has answered.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "hw/channel/channel_controller.h"
#include "tests/support/command_log.h"

namespace lockstep {

// Runs until everything asked for has completed; the completions in order of issue.
inline std::vector<Completion> drain(ChannelController& controller) {
  std::vector<Completion> all = controller.take_completions();
  while (controller.has_work()) {
    controller.advance_to_completion();
    for (const auto& completion : controller.take_completions()) all.push_back(completion);
  }
  controller.check_identities();
  return all;
}

inline PimRun mac_run(std::int32_t row, std::int32_t columns) {
  PimRun run;
  run.row = row;
  run.columns = columns;
  return run;
}

inline PimRun run_of(PimOp op, std::int32_t transfers = 1) {
  PimRun run;
  run.op = op;
  run.columns = transfers;
  return run;
}

inline KernelRequest kernel_request(std::uint64_t id, PimKernel runs, Cycles arrival = {}) {
  return {id, std::make_shared<const PimKernel>(std::move(runs)), arrival};
}

inline HostRequest read_request(std::uint64_t id, BankAddress at, std::int32_t row,
                                Cycles arrival = {}) {
  return {id, HostOp::kRead, at, row, 0, arrival};
}

inline std::vector<std::uint64_t> ids_of(const std::vector<Completion>& completions) {
  std::vector<std::uint64_t> ids;
  for (const auto& completion : completions) ids.push_back(completion.id);
  return ids;
}

// When `id` completed, or -1.
inline std::int64_t when_of(const std::vector<Completion>& completions, std::uint64_t id) {
  for (const auto& completion : completions) {
    if (completion.id == id) return completion.when.count;
  }
  return -1;
}

inline std::int64_t issued(const ChannelController& controller, Cmd cmd) {
  return controller.stats().commands[static_cast<std::size_t>(cmd)];
}

}  // namespace lockstep
