#include "sim/run/comparison.h"

#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "firmware/decode/decode_run.h"
#include "sim/run/finish_runs.h"
#include "sim/run/interrupt.h"
#include "sim/run/progress.h"
#include "sim/run/served_requests.h"
#include "sim/run/system.h"

namespace lockstep {
namespace {

constexpr double kBytesPerGigabyte = 1e9;

// The parts of one policy's run that must be elaborated before the simulation starts.
class PolicyRun {
 public:
  PolicyRun(const RunConfig& config, const KvMemory& memory, const std::string& policy,
            const std::vector<Request>& requests)
      : config_(config),
        policy_(policy),
        requests_(static_cast<std::int64_t>(requests.size())),
        run_(config.decode, memory, kv_policy(policy), requests, config.stack.clock),
        system_((config.name + "_" + policy).c_str(), config.stack, config.detail,
                [this](StackPort& port) { program(port); }) {}

  PolicyResult finish(CommandSink* sink) {
    const auto start = std::chrono::steady_clock::now();
    if (sink != nullptr) system_.stack().record_to(sink);
    system_.run();
    PolicyResult result{policy_, std::move(*result_), system_.stack().total_stats(), 0, 0};
    result.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto& commands = result.stats.commands;
    ensure(commands[static_cast<std::size_t>(Cmd::MACab)] ==
               result.decode.all_bank_commands * config_.stack.halves(),
           "the stack issued other all-bank commands than the kernels asked for");
    return result;
  }

  // Tells `sink` of every command up to the end of the step under way at `until`.
  void trace(CommandSink& sink, std::optional<Picoseconds> until) {
    if (until) stop_at_ = cycles_ceil(*until, config_.stack.clock);
    system_.stack().record_to(&sink);
    try {
      system_.run();
    } catch (const TraceEnd&) {
      return;  // the window of the trace has passed
    }
  }

 private:
  struct TraceEnd : std::exception {};

  void program(StackPort& port) {
    Progress progress(policy_, requests_);
    result_ = run_.run(port, [&](const StepRecord& step, const ServingCounters& serving) {
      if (stop_at_ && port.now() >= *stop_at_) throw TraceEnd();
      if (interrupt_noted()) {
        throw Interrupted(
            fmt::format("interrupted in policy {} at step {}, {} of {} requests completed", policy_,
                        step.step, serving.completed, requests_));
      }
      if (!progress.due()) return;
      progress.update(
          serving.completed + serving.dropped(),
          fmt::format("step {}, {} of {} requests", step.step, serving.completed, requests_));
    });
  }

  const RunConfig& config_;
  std::string policy_;
  std::int64_t requests_;
  DecodeRun run_;
  System system_;
  std::optional<DecodeResult> result_;
  std::optional<Cycles> stop_at_;
};

std::optional<double> ratio(std::optional<double> above, std::optional<double> below) {
  if (!above || !below || *below <= 0) return std::nullopt;
  return *above / *below;
}

}  // namespace

double cycle_bandwidth_gbps(const DecodeResult& result, Hertz clock) {
  if (result.pim_time <= Cycles{0}) return 0;
  return static_cast<double>(result.kv_bytes) / seconds(result.pim_time, clock) / kBytesPerGigabyte;
}

std::optional<double> cycle_to_formula(const RunConfig& config, const DecodeResult& result) {
  const auto group = result.m3_gbps.mean();
  if (!group) return std::nullopt;
  return ratio(cycle_bandwidth_gbps(result, config.stack.clock),
               *group * config.decode.channel_groups);
}

std::optional<double> Comparison::gain_formula() const {
  if (policies.size() < 2) return std::nullopt;
  return ratio(policies.back().decode.m3_gbps.mean(), policies.front().decode.m3_gbps.mean());
}

std::optional<double> Comparison::gain_cycles() const {
  if (policies.size() < 2) return std::nullopt;
  const auto bytes_per_clock = [](const DecodeResult& r) -> std::optional<double> {
    if (r.pim_time <= Cycles{0}) return std::nullopt;
    return static_cast<double>(r.kv_bytes) / static_cast<double>(r.pim_time.count);
  };
  return ratio(bytes_per_clock(policies.back().decode), bytes_per_clock(policies.front().decode));
}

Comparison run_comparison(const RunConfig& config, const RunOptions& options) {
  const KvMemory memory = kv_memory(config);
  const ServedRequests served = served_requests(config, options.requests_file);
  std::vector<std::unique_ptr<PolicyRun>> runs;
  for (const auto& policy : config.policies) {
    runs.push_back(std::make_unique<PolicyRun>(config, memory, policy, served.requests));
  }
  note_interrupts();  // until here Ctrl-C just ends the program: there is nothing to close
  return finish_runs<Comparison>(config, options, served, runs);
}

void run_traced(const RunConfig& config, const RunOptions& options, const std::string& policy,
                CommandSink& sink, std::optional<Picoseconds> until) {
  const KvMemory memory = kv_memory(config);
  const ServedRequests served = served_requests(config, options.requests_file);
  PolicyRun run(config, memory, policy, served.requests);
  note_interrupts();
  run.trace(sink, until);
}

}  // namespace lockstep
