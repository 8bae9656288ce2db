#include "firmware/decode/decode_run.h"

#include <algorithm>
#include <set>

#include "firmware/decode/region_size.h"
#include "firmware/serving/pool.h"
#include "firmware/workload/random.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// A visit as runs whose columns exist: in some maps a row's commands outnumber its columns, because
// each uses few banks.
void append_runs(const RowVisit& visit, int columns_per_row, PimKernel& kernel) {
  std::int32_t left = visit.columns;
  std::int32_t column = visit.column;
  while (left > 0) {
    PimRun run;
    run.op = PimOp::kMacAb;
    run.row = visit.row;
    run.column = column;
    run.columns = std::min(left, columns_per_row - column);
    kernel.push_back(run);
    left -= run.columns;
    column = 0;
  }
}

std::int64_t commands_of(const PimKernel& kernel) {
  std::int64_t commands = 0;
  for (const auto& run : kernel) commands += run.commands();
  return commands;
}

PoolConfig pool_config(const DecodeConfig& config, const DecodeResult& sizes) {
  PoolConfig pool;
  pool.pool_blocks = sizes.pool_blocks;
  pool.blocks_per_region = sizes.blocks_per_region;
  pool.seed = config.seed;
  pool.scratch = config.scratch;
  pool.block_tokens = static_cast<std::int32_t>(config.shape.block_tokens);
  pool.block_bytes = config.shape.block_tokens * config.shape.kv_bytes_per_token;
  return pool;
}

}  // namespace

DecodeRun::DecodeRun(const DecodeConfig& config, const KvMemory& memory, const KvPolicy& policy,
                     std::vector<Request> requests, Hertz clock)
    : config_(config), memory_(memory), clock_(clock), streams_(memory.layout(), config.reorder) {
  const auto& layout = memory.layout();
  const auto per_region = blocks_per_region(layout.geometry(), layout.shape());
  if (!per_region && policy.rounding == PoolRounding::kRegion) {
    throw SettingError("kv.block_tokens", "policy `" + std::string(policy.name) +
                                              "`: a region (one row index over all banks and "
                                              "channels) is not a whole number of blocks of " +
                                              std::to_string(config.shape.block_tokens) +
                                              " tokens x " +
                                              std::to_string(config.shape.kv_bytes_per_token) +
                                              " B; choose another kv.block_tokens");
  }
  result_.blocks_per_region = per_region.value_or(1);
  result_.pool_blocks = pool_blocks(config.headroom, config.serving.max_batch, requests,
                                    static_cast<std::int32_t>(config.shape.block_tokens),
                                    result_.blocks_per_region, policy.rounding);
  if (result_.pool_blocks > layout.blocks_in_stack()) {
    throw SettingError("kv.headroom",
                       "the KV pool of " + std::to_string(result_.pool_blocks) +
                           " blocks exceeds the stack's " +
                           std::to_string(layout.blocks_in_stack()) +
                           ": lower kv.headroom, serving.max_batch or the lengths of the workload");
  }
  structure_ = std::make_unique<TableStructure>(result_.pool_blocks, result_.blocks_per_region);
  allocator_ = policy.make(pool_config(config, result_));
  loop_ = std::make_unique<ServingLoop>(config.serving, std::move(requests), *allocator_);
}

DecodeResult DecodeRun::run(StackPort& port, const StepListener& listener) {
  while (!loop_->done()) {
    loop_->begin_step();
    if (loop_->running().size() > 0) step(port, listener);
    loop_->end_step();
  }
  result_.serving = loop_->counters();
  result_.blocks = allocator_->counts();
  result_.end = port.now();
  return std::move(result_);
}

void DecodeRun::step(StackPort& port, const StepListener& listener) {
  const bool scored = loop_->step() % config_.scoring.every_steps == 0;
  const bool simulated = loop_->step() % config_.scoring.simulate_every_steps == 0;
  if (!scored && !simulated) return;
  streams_.sync(loop_->running());
  check_bytes();
  if (scored) score_step();
  if (!simulated) return;
  simulate(port);
  if (listener) listener(result_.steps.back(), loop_->counters());
}

void DecodeRun::check_bytes() const {
  const auto running = loop_->running();
  for (std::size_t i = 0; i < running.size(); ++i) {
    ensure(streams_[i].score().bursts * memory_.layout().geometry().column_bytes ==
               running[i].tokens * memory_.layout().shape().kv_bytes_per_token,
           "the kernels read other bytes than the block tables hold");
  }
}

void DecodeRun::score_step() {
  const auto& scoring = config_.scoring;
  const std::size_t count = loop_->running().size();
  if (scoring.max_sequences == 0 || count <= static_cast<std::size_t>(scoring.max_sequences)) {
    for (std::size_t i = 0; i < count; ++i) score(i);
    return;
  }
  Random random(scoring.seed, draws_++);
  std::set<std::int64_t> chosen;
  while (static_cast<std::int64_t>(chosen.size()) < scoring.max_sequences) {
    chosen.insert(random.uniform(0, static_cast<std::int64_t>(count) - 1));
  }
  for (const auto index : chosen) score(static_cast<std::size_t>(index));
}

void DecodeRun::score(std::size_t index) {
  const Score counts = streams_[index].score();
  const auto& geometry = memory_.layout().geometry();
  result_.m1.add(row_hit_ratio(counts));
  result_.m2.add(bank_participation(counts, geometry));
  result_.m3_gbps.add(bandwidth_gbps(counts, geometry, config_.scoring.formula));
  const auto& table = loop_->running()[index].blocks;
  result_.region_spread.add(structure_->region_spread(table));
  if (table.size() > 1) result_.adjacency.add(adjacency(table));
}

void DecodeRun::simulate(StackPort& port) {
  StepRecord record;
  record.step = loop_->step();
  record.running = static_cast<std::int32_t>(loop_->running().size());
  for (const auto& sequence : loop_->running()) record.tokens += sequence.tokens;
  record.kv_bytes = record.tokens * config_.shape.kv_bytes_per_token;
  const auto work = kernels(record);
  const Cycles start = port.now();
  copy(port, record);
  port.execute(work, {nullptr, 0});
  record.latency = port.now() - start;
  result_.kv_bytes += record.kv_bytes;
  result_.copied_bytes += record.copied_bytes;
  result_.copy_time += record.copy_time;
  result_.all_bank_commands += record.all_bank_commands;
  result_.pim_time += record.latency;
  result_.step_latency_ns.add(nanoseconds(record.latency, clock_));
  result_.steps.push_back(record);
}

// Reads, then writes: the host holds what it moves. (Branches are written by the step before; only
// what the copies cost is modelled.)
void DecodeRun::copy(StackPort& port, StepRecord& record) {
  if (loop_->copies().size() == 0) return;
  CopyAccesses accesses;
  for (const auto& copied : loop_->copies()) {
    memory_.append(copied, accesses);
    record.copied_bytes += copied.tokens * config_.shape.kv_bytes_per_token;
  }
  const Cycles start = port.now();
  port.execute({nullptr, 0}, accesses.reads);
  port.execute({nullptr, 0}, accesses.writes);
  record.copy_time = port.now() - start;
}

// The passes of all running sequences, in the order they run.
std::shared_ptr<const PimKernel> DecodeRun::kernel_of(std::size_t channel_class) const {
  auto kernel = std::make_shared<PimKernel>();
  std::size_t visits = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    visits += streams_[i].visits(channel_class).size();
  }
  kernel->reserve(visits);
  const int columns = memory_.layout().geometry().columns;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    for (const auto& visit : streams_[i].visits(channel_class))
      append_runs(visit, columns, *kernel);
  }
  return kernel;
}

std::vector<DomainKernel> DecodeRun::kernels(StepRecord& record) const {
  std::vector<DomainKernel> work;
  for (std::size_t c = 0; c < memory_.layout().classes().size(); ++c) {
    const auto kernel = kernel_of(c);
    if (kernel->empty()) continue;
    const auto& domains = memory_.domains(c);
    const auto members = static_cast<std::int64_t>(domains.size());
    record.all_bank_commands += commands_of(*kernel) * members;
    record.row_visits += static_cast<std::int64_t>(kernel->size()) * members;
    for (const int domain : domains) work.push_back({domain, kernel});
  }
  std::int64_t scored_commands = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i) scored_commands += streams_[i].score().commands;
  ensure(record.all_bank_commands * memory_.channels_per_domain() ==
             scored_commands * memory_.channel_groups(),
         "the kernels have other commands than the score counts");
  return work;
}

}  // namespace lockstep
