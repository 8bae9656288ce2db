#include "sim/replay/replay.h"

#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "hw/channel/channel_controller.h"
#include "hw/stack/channel_recorder.h"
#include "sim/run/energy_json.h"

namespace lockstep {
namespace {

bool reads(const std::vector<HostRequest>& requests, std::uint64_t id) {
  const auto found =
      std::lower_bound(requests.begin(), requests.end(), id,
                       [](const HostRequest& r, std::uint64_t wanted) { return r.id < wanted; });
  return found != requests.end() && found->op == HostOp::kRead;
}

// Each at its clock: the controller may not have gone further, or it would have chosen without it.
void push_all(const DomainStream& work, ChannelController& controller) {
  auto request = work.requests.begin();
  auto kernel = work.kernels.begin();
  while (request != work.requests.end() || kernel != work.kernels.end()) {
    Cycles now{INT64_MAX};
    if (request != work.requests.end()) now = request->arrival;
    if (kernel != work.kernels.end()) now = std::min(now, kernel->arrival);
    if (now > Cycles{0}) controller.advance(now);
    for (; request != work.requests.end() && request->arrival == now; ++request)
      controller.push(*request);
    if (kernel == work.kernels.end() || kernel->arrival != now) continue;
    controller.push(KernelRequest{0, std::make_shared<PimKernel>(kernel->runs), now});
    ++kernel;
  }
}

}  // namespace

ReplayResult replay_stream(const RequestStream& stream, const StackConfig& config,
                           CommandSink* sink) {
  ReplayResult result;
  for (const auto& [domain, work] : stream.domains) {
    ChannelController controller(config.controller);
    std::unique_ptr<ChannelRecorder> recorder;
    if (sink != nullptr) {
      recorder = std::make_unique<ChannelRecorder>(config, domain, *sink);
      controller.set_observer(recorder.get());
    }
    push_all(work, controller);
    while (controller.has_work() || controller.completed_something()) {
      controller.advance_to_completion();
      for (const auto& done : controller.take_completions()) {
        const bool counts = done.kind == Completion::Kind::kHost && reads(work.requests, done.id);
        if (counts) result.cycles = std::max(result.cycles, done.when);
      }
    }
    controller.check_identities();
    result.cycles = std::max(result.cycles, controller.last_issue());
    result.stats += controller.stats();
  }
  const auto& topology = config.controller.topology;
  const auto columns = count_of(result.stats, Cmd::MACab) * topology.banks_in_lockstep() +
                       count_of(result.stats, Cmd::MACsb) * topology.bank_groups +
                       result.stats.host_completed;
  result.domains = static_cast<int>(stream.domains.size());
  result.bytes = columns * config.geometry.column_bytes;
  result.energy = energy_of(config.energy, result.stats, topology, result.cycles, config.clock);
  return result;
}

namespace {

// Shares of what the domains at work could do at most, as `peak` of each says: a MACab every
// nCCDAB, and on the data bus of each pseudo channel a transfer every nBL.
struct Utilisation {
  double mac;
  double data_bus;
};

Utilisation utilisation_of(const ReplayResult& result, const StackConfig& config) {
  const auto& dram = config.controller.timing.dram;
  const auto clocks = static_cast<double>(result.cycles.count) * result.domains;
  std::int64_t transfers = 0;
  for (const auto& row : kCommands) {
    if (kBusReads.contains(row.cmd) || kBusWrites.contains(row.cmd))
      transfers += count_of(result.stats, row.cmd);
  }
  const auto macs =
      static_cast<double>(count_of(result.stats, Cmd::MACab) * dram.nCCDAB.count / config.halves());
  return {macs / clocks, static_cast<double>(transfers * dram.nBL.count) /
                             (clocks * config.channels_per_domain())};
}

}  // namespace

std::string replay_json(const ReplayResult& result, const StackConfig& config) {
  using Json = nlohmann::ordered_json;
  const double ns = nanoseconds(result.cycles, config.clock);
  Json json = {{"cycles", result.cycles.count}, {"ns", ns}};
  for (const auto& row : kCommands)
    json["commands"][std::string(row.name)] = count_of(result.stats, row.cmd);
  json["row_hits"] = result.stats.pim_column_hits + result.stats.host_row_hits;
  for (const auto& counter : kChannelCounters)
    json[std::string(counter.name)] = result.stats.*counter.member;
  for (const auto& [name, clocks] : result.stats.waits_by_name())
    json["stall_cycles"][name] = clocks;
  json["bytes"] = result.bytes;
  json["bandwidth_gbps"] = ns > 0 ? Json(static_cast<double>(result.bytes) / ns) : Json(nullptr);
  json["peak_pim_bandwidth_gbps"] = config.peak_pim_bytes_per_second() / 1e9;
  const Utilisation utilisation = utilisation_of(result, config);
  json["mac_utilisation_ratio"] = ns > 0 ? Json(utilisation.mac) : Json(nullptr);
  json["data_bus_utilisation_ratio"] = ns > 0 ? Json(utilisation.data_bus) : Json(nullptr);
  json["banks_in_lockstep"] = config.banks_in_lockstep();
  json["energy_pj"] = energy_json(result.energy, config.energy);
  return json.dump(2) + "\n";
}

}  // namespace lockstep
