#include "sim/sparse/sparse_comparison.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "firmware/sparse/sparse_run.h"
#include "sim/run/interrupt.h"
#include "sim/run/progress.h"
#include "sim/run/system.h"
#include "sim/sparse/choose_delta.h"
#include "sim/sparse/score_sources.h"
#include "sim/sparse/sparse_parts.h"
#include "sim/sparse/sparse_stacks.h"
#include "sim/sparse/stream_stats.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point start) {
  return std::chrono::duration<double>(WallClock::now() - start).count();
}

std::optional<double> ratio(double above, double below) {
  if (below <= 0) return std::nullopt;
  return above / below;
}

std::int64_t count(const ChannelStats& stats, Cmd cmd) {
  return stats.commands[static_cast<std::size_t>(cmd)];
}

// MAC commands to each column of a stream's passes.
int accesses_of_a_column(const RunConfig& config, SparseStream stream) {
  const auto& sparse = *config.sparse;
  if (stream == SparseStream::kSelection && sparse.scorer().mean_query)
    return tensor_map(config).beats();
  return repeats_of_a_column(sparse, tensor_map(config));
}

// Of making the lists: layers of requests.
class ListProgress {
 public:
  ListProgress(const SparseConfig& sparse, bool shown)
      : total_(static_cast<std::int64_t>(simulated_layers(sparse).size()) * sparse.batch) {
    if (shown) progress_.emplace("lists", total_);
  }
  void layer_done() {
    ++done_;
    if (progress_ && progress_->due())
      progress_->update(done_, fmt::format("layer {} of {}", done_, total_));
  }
  void end() { progress_.reset(); }

 private:
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::optional<Progress> progress_;
};

class ScheduleRun {
 public:
  ScheduleRun(const RunConfig& config, const std::string& name, const SparseParts& parts)
      : config_(config),
        sparse_(parts.config),
        name_(name),
        run_(parts.config, parts.plan, parts.lists, schedule_of(name), config.stack.clock) {
    if (config.detail == Detail::kStream) return;
    system_ = std::make_unique<System>((config.name + "_" + name).c_str(), config.stack,
                                       config.detail, [this](StackPort& port) { program(port); });
  }

  ScheduleResult finish(bool progress) {
    const auto start = WallClock::now();
    ScheduleResult schedule;
    schedule.name = name_;
    schedule.delta = sparse_.delta;
    if (progress) progress_ = std::make_unique<Progress>(name_, sparse_.decode_tokens);
    if (system_) {
      StreamStats streams([this] { return system_->stack().total_stats(); });
      observer_ = &streams;
      system_->run();
      take(streams, schedule);
    } else {
      SparseDirectStacks stacks(config_.stack, sparse_);
      StreamStats streams([&] { return stacks.total_stats(); });
      observer_ = &streams;
      run(stacks.ports());
      stacks.check_identities();
      take(streams, schedule);
    }
    schedule.result = std::move(*result_);
    schedule.wall_seconds = seconds_since(start);
    return schedule;
  }

 private:
  static std::optional<Schedule> schedule_of(const std::string& name) {
    if (name == "dense") return std::nullopt;
    return schedule_by_name(name);
  }

  void program(StackPort& port) { run({port, port}); }

  void run(const SparseStacks& stacks) {
    result_ = run_.run(stacks, observer_, [&](const SparseStep& step) {
      if (interrupt_noted()) {
        throw Interrupted(fmt::format("interrupted in schedule {} at token {} of {}", name_,
                                      step.step, sparse_.decode_tokens));
      }
      if (progress_ && progress_->due()) {
        progress_->update(step.step,
                          fmt::format("token {} of {}", step.step, sparse_.decode_tokens));
      }
    });
  }

  static void take(const StreamStats& streams, ScheduleResult& schedule) {
    for (std::size_t i = 0; i < kSparseStreams.size(); ++i)
      schedule.streams[i] = streams.of(static_cast<SparseStream>(i));
  }

  const RunConfig& config_;
  const SparseConfig& sparse_;
  std::string name_;
  SparseRun run_;
  std::unique_ptr<System> system_;
  StreamObserver* observer_ = nullptr;
  std::optional<SparseResult> result_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace

std::optional<double> ScheduleResult::overlap() const {
  if (result.lists.guessed == 0 || result.lists.selected == 0) return std::nullopt;
  return 1 - static_cast<double>(result.lists.missed) / static_cast<double>(result.lists.selected);
}

std::optional<double> ScheduleResult::column_row_hits(const RunConfig& config,
                                                      SparseStream stream) const {
  const auto& of = stats(stream);
  const double columns = static_cast<double>(of.pim_column_hits + of.pim_column_misses) /
                         accesses_of_a_column(config, stream);
  if (columns <= 0) return std::nullopt;
  return 1 - static_cast<double>(of.pim_column_misses) / columns;
}

std::optional<double> ScheduleResult::participation(const RunConfig& config,
                                                    SparseStream stream) const {
  const auto& work = result.streams[static_cast<std::size_t>(stream)];
  const double useful = static_cast<double>(work.kv_bytes) / config.stack.geometry.column_bytes *
                        accesses_of_a_column(config, stream);
  return ratio(useful, static_cast<double>(count(stats(stream), Cmd::MACab)) *
                           config.stack.banks_in_lockstep());
}

std::optional<double> ScheduleResult::bandwidth_gbps(Hertz clock, SparseStream stream) const {
  const auto& work = result.streams[static_cast<std::size_t>(stream)];
  if (work.kv_bytes == 0) return std::nullopt;
  return ratio(static_cast<double>(work.kv_bytes) / 1e9, seconds(work.busy, clock));
}

double ScheduleResult::energy_pj(const RunConfig& config, SparseStream stream) const {
  return energy_of(config.stack.energy, stats(stream), config.stack.controller.topology, {0},
                   config.stack.clock)
      .total_pj();
}

double ScheduleResult::tokens_per_second(const RunConfig& config) const {
  return static_cast<double>(config.sparse->batch * config.sparse->decode_tokens) /
         (result.total_ns / 1e9);
}

bool SparseComparison::has_commands(SparseStream stream) const {
  return std::any_of(schedules.begin(), schedules.end(), [stream](const auto& schedule) {
    return schedule.stats(stream).total_commands() > 0;
  });
}

const ScheduleResult* SparseComparison::find(std::string_view name) const {
  const auto found = std::find_if(schedules.begin(), schedules.end(),
                                  [&](const auto& schedule) { return schedule.name == name; });
  return found == schedules.end() ? nullptr : &*found;
}

std::optional<double> SparseComparison::speedup(std::string_view of, std::string_view name) const {
  const auto* above = find(of);
  const auto* below = find(name);
  if (above == nullptr || below == nullptr) return std::nullopt;
  return ratio(above->result.total_ns, below->result.total_ns);
}

SparseComparison compare_sparse(const RunConfig& config, const RunOptions& options) {
  if (options.commands_file || options.requests_file) {
    throw InputError("--commands, --requests: a configuration with a section `dsa` takes neither");
  }
  const auto start = WallClock::now();
  SparseConfig sparse = weighed(config);
  require_room(config, sparse);
  const auto fitted = score_source(sparse);
  if (sparse.delta_rule != DeltaRule::kFixed) sparse.delta = chosen_delta(config, sparse, fitted);
  ListProgress progress(sparse, options.progress);
  const SparseParts parts(config, sparse, fitted.source, [&] { progress.layer_done(); });
  progress.end();
  SparseComparison comparison;
  comparison.scores = fitted.what;
  comparison.mean_recall = parts.lists.mean_recall();
  comparison.list_seconds = seconds_since(start);
  std::vector<std::unique_ptr<ScheduleRun>> runs;  // modules are elaborated before any is run
  for (const auto& name : sparse.schedules)
    runs.push_back(std::make_unique<ScheduleRun>(config, name, parts));
  note_interrupts();
  for (auto& run : runs) comparison.schedules.push_back(run->finish(options.progress));
  return comparison;
}

}  // namespace lockstep
