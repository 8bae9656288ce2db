// Replays a request stream of AttAcc's simulator (tests/data/attacc) through a ChannelController.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/channel/channel_controller.h"
#include "tests/support/command_log.h"
#include "tests/support/csv_rows.h"

namespace lockstep {

// The domain of those runs: two pseudo channels x two SIDs in lockstep.
constexpr Topology kAttAccDomain{2, 2, 4, 4, Level::kDomain};

// Bank numbers of a stream count SID, bank group and bank: 16 to a SID.
inline BankAddress attacc_bank(int pseudo_channel, int bank) {
  return {pseudo_channel, bank / 16, bank / 4 % 4, bank % 4};
}

inline PimOp attacc_op(const std::string& name) {
  for (const auto& op : kPimOps) {
    if (op.name == name) return op.op;
  }
  throw std::runtime_error("no PIM operation " + name);
}

struct AttAccStream {
  std::vector<HostRequest> accesses;
  PimKernel kernel;    // a run for each operation
  bool reads = false;  // whether one of the accesses is a read
};

inline AttAccStream read_attacc_stream(const std::string& name) {
  AttAccStream stream;
  for (auto& row : read_csv_rows("attacc/streams/" + name + ".csv")) {
    const auto at = attacc_bank(std::stoi(row["pseudo_channel"]), std::stoi(row["bank"]));
    if (row["op"] == "LD" || row["op"] == "ST") {
      const HostOp op = row["op"] == "LD" ? HostOp::kRead : HostOp::kWrite;
      stream.reads |= op == HostOp::kRead;
      stream.accesses.push_back({stream.accesses.size(), op, at, std::stoi(row["row"]),
                                 std::stoi(row["col"]), Cycles{0}});
      continue;
    }
    PimRun run;
    run.op = attacc_op(row["op"]);
    run.pseudo_channel = static_cast<std::uint8_t>(at.pseudo_channel);
    run.stack_id = static_cast<std::uint8_t>(at.stack_id);
    run.bank_group = static_cast<std::uint8_t>(at.bank_group);
    run.bank = static_cast<std::uint8_t>(at.bank);
    run.row = std::stoi(row["row"]);
    run.column = std::stoi(row["col"]);
    stream.kernel.push_back(run);
  }
  return stream;
}

// Everything is offered at clock 0, so the first command can go in clock 1.
inline void push(const AttAccStream& stream, ChannelController& controller) {
  for (const auto& access : stream.accesses) controller.push(access);
  if (stream.kernel.empty()) return;
  controller.push(KernelRequest{stream.accesses.size(),
                                std::make_shared<const PimKernel>(stream.kernel), Cycles{0}});
}

}  // namespace lockstep
