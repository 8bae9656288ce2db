#include "sim/attention/attention_comparison.h"

#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "firmware/attention/attention_run.h"
#include "hw/stack/direct_stack.h"
#include "sim/attention/stage_clock.h"
#include "sim/cosim/unit_factory.h"
#include "sim/run/finish_runs.h"
#include "sim/run/interrupt.h"
#include "sim/run/progress.h"
#include "sim/run/served_requests.h"
#include "sim/run/system.h"

namespace lockstep {
namespace {

std::optional<double> ratio(double above, double below) {
  if (below <= 0) return std::nullopt;
  return above / below;
}

class PolicyRun {
 public:
  PolicyRun(const RunConfig& config, const KvTensorMap& map, const std::string& policy,
            const std::vector<Request>& requests, ShowProgress shown)
      : config_(config),
        shown_(shown),
        policy_(policy),
        requests_(static_cast<std::int64_t>(requests.size())),
        run_(*config.attention, map, kv_policy(policy), requests,
             {config.stack.clock, config.stack.peak_pim_bytes_per_second(),
              config.stack.controller.timing.dram.nCCDAB}) {
    if (config.detail == Detail::kStream) return;
    system_ =
        std::make_unique<System>((config.name + "_" + policy).c_str(), config.stack, config.detail,
                                 [this](StackPort& port) { run(port, nullptr); });
  }

  AttentionPolicy finish(CommandSink* sink) {
    const auto start = std::chrono::steady_clock::now();
    AttentionPolicy policy;
    policy.name = policy_;
    if (system_) {
      if (sink != nullptr) system_->stack().record_to(sink);
      system_->run();
      policy.stats = system_->stack().total_stats();
    } else {
      DirectStack stack(config_.stack, make_unit_factory(config_.stack.units));
      StageClock stages(config_.stack.controller.timing);
      const bool watched = config_.stack.storage == Storage::kNone;
      if (watched) stack.observe(0, stages);
      run(stack, watched ? &stages : nullptr);
      stack.check_identities();
      policy.stats = stack.total_stats();
    }
    policy.result = std::move(*result_);
    policy.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    check(policy);
    return policy;
  }

 private:
  void run(StackPort& port, StageProbe* probe) {
    std::optional<Progress> progress;
    if (shown_ == ShowProgress::kYes) progress.emplace(policy_, requests_);
    result_ = run_.run(port, probe, [&](const AttentionStep& step, const ServingCounters& serving) {
      if (interrupt_noted()) {
        throw Interrupted(
            fmt::format("interrupted in policy {} at step {}, {} of {} requests completed", policy_,
                        step.step, serving.completed, requests_));
      }
      if (!progress || !progress->due()) return;
      progress->update(
          serving.completed + serving.dropped(),
          fmt::format("step {}, {} of {} requests", step.step, serving.completed, requests_));
    });
  }

  void check(const AttentionPolicy& policy) const {
    const auto& commands = policy.stats.commands;
    const auto writes =
        commands[static_cast<std::size_t>(Cmd::WR)] + commands[static_cast<std::size_t>(Cmd::WRA)];
    ensure(writes * config_.stack.geometry.column_bytes == policy.result.written_bytes,
           "the stack wrote other bytes than those of the new keys and values");
    const auto issued = policy.stats.commands[static_cast<std::size_t>(Cmd::MACab)];
    ensure(issued * config_.attention->layers == policy.result.counts.all_bank_commands *
                                                     policy.result.simulated_layers *
                                                     config_.stack.halves(),
           "the stack issued other all-bank commands than the passes asked for");
  }

  const RunConfig& config_;
  ShowProgress shown_;
  std::string policy_;
  std::int64_t requests_;
  AttentionRun run_;
  std::unique_ptr<System> system_;
  std::optional<AttentionResult> result_;
};

}  // namespace

std::optional<double> AttentionPolicy::kv_bandwidth_gbps(Hertz clock) const {
  return ratio(static_cast<double>(result.counts.kv_bytes) / 1e9, seconds(result.attention, clock));
}

std::optional<double> AttentionPolicy::tokens_per_second() const {
  return ratio(static_cast<double>(result.tokens), result.time.total_ns / 1e9);
}

// A K or V element meets every query of its group once.
std::optional<double> AttentionPolicy::mac_utilisation(const RunConfig& config) const {
  const auto& attention = *config.attention;
  const double needed = static_cast<double>(result.counts.kv_bytes) /
                        attention.shape.element_bytes() * attention.group;
  const double slots = static_cast<double>(result.attention.count) /
                       static_cast<double>(config.stack.controller.timing.dram.nCCDAB.count);
  const double banks = static_cast<double>(config.stack.geometry.flat_channels()) *
                       config.stack.geometry.banks_per_pseudo_channel();
  return ratio(needed, slots * banks * kMacLanes * attention.unit.queries_per_column);
}

// Commands of the simulated layers stand for all; the background goes on while the processor works.
EnergyReport AttentionPolicy::energy(const RunConfig& config) const {
  const auto& stack = config.stack;
  auto report = energy_of(stack.energy, stats, stack.controller.topology, Cycles{0}, stack.clock);
  const double times = static_cast<double>(config.attention->layers) / result.simulated_layers;
  for (auto& term : report.picojoules) term *= times;
  // 1 uW for 1 ns is 1e-3 pJ.
  const double ns = result.time.total_ns + nanoseconds(result.prefill_write, stack.clock);
  report.background_pj = static_cast<double>(stack.energy.background.count) * ns * 1e-3;
  return report;
}

std::optional<double> AttentionPolicy::energy_pj_per_token(const RunConfig& config) const {
  return ratio(energy(config).total_pj(), static_cast<double>(result.tokens));
}

std::optional<double> AttentionPolicy::bank_participation() const {
  return ratio(static_cast<double>(result.counts.useful_slots),
               static_cast<double>(result.counts.bank_slots));
}

std::optional<double> AttentionComparison::gain_formula(const FormulaTiming& timing) const {
  if (policies.size() < 2) return std::nullopt;
  const auto time = [&](const PassCounts& counts) {
    const auto misses = static_cast<double>(counts.row_visits);
    return (static_cast<double>(counts.all_bank_commands) - misses) * timing.tCCD_ab_ns +
           misses * timing.tRC_ns;
  };
  return ratio(time(policies.front().result.counts), time(policies.back().result.counts));
}

std::optional<double> AttentionComparison::gain_cycles() const {
  if (policies.size() < 2) return std::nullopt;
  return ratio(static_cast<double>(policies.front().result.attention.count),
               static_cast<double>(policies.back().result.attention.count));
}

AttentionComparison compare_attention(const RunConfig& config, const RunOptions& options,
                                      ShowProgress shown) {
  if (options.commands_file && config.detail == Detail::kStream) {
    throw InputError("--commands: attention writes its commands with `--set detail=command` only");
  }
  const KvTensorMap map(config.stack.map, config.stack.geometry, config.stack.channels_per_domain(),
                        config.attention->shape);
  const auto served = served_requests(config, options.requests_file);
  std::vector<std::unique_ptr<PolicyRun>> runs;
  for (const auto& policy : config.policies)
    runs.push_back(std::make_unique<PolicyRun>(config, map, policy, served.requests, shown));
  note_interrupts();
  return finish_runs<AttentionComparison>(config, options, served, runs);
}

}  // namespace lockstep
