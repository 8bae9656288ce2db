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

// The domains whose kernel is that of the class: all channels of a domain must be in one class.
std::vector<int> domains_of(const ChannelClass& channel_class, int channels_per_domain) {
  std::vector<int> domains;
  const auto& members = channel_class.members;
  for (std::size_t i = 0; i < members.size(); i += static_cast<std::size_t>(channels_per_domain)) {
    for (int k = 0; k < channels_per_domain; ++k) {
      const std::size_t at = i + static_cast<std::size_t>(k);
      if (at >= members.size() || members[at] != members[i] + k ||
          members[i] % channels_per_domain != 0) {
        throw Unsupported(
            "the pseudo channels of one lockstep domain hold different tokens under this address "
            "map: "
            "set pim.all_bank_scope to pseudo_channel");
      }
    }
    domains.push_back(members[i] / channels_per_domain);
  }
  return domains;
}

}  // namespace

DecodeRun::DecodeRun(const DecodeConfig& config, const KvLayout& layout, int channels_per_domain,
                     const KvPolicy& policy, std::vector<Request> requests, Hertz clock)
    : config_(config), layout_(layout), channels_per_domain_(channels_per_domain), clock_(clock) {
  for (const auto& channel_class : layout.classes()) domains_of(channel_class, channels_per_domain);
  const auto per_region = blocks_per_region(layout.geometry(), config.shape);
  if (!per_region && policy.rounding == PoolRounding::kRegion) {
    throw InputError("policy `" + std::string(policy.name) +
                     "`: a region (one row index over all banks and "
                     "channels) is not a whole number of blocks of " +
                     std::to_string(config.shape.block_tokens) + " tokens x " +
                     std::to_string(config.shape.kv_bytes_per_token) +
                     " B; choose another kv.block_tokens");
  }
  result_.blocks_per_region = per_region.value_or(1);
  result_.pool_blocks = pool_blocks(config.headroom, config.serving.max_batch, requests,
                                    static_cast<std::int32_t>(config.shape.block_tokens),
                                    result_.blocks_per_region, policy.rounding);
  if (result_.pool_blocks > layout.blocks_in_stack()) {
    throw InputError("the KV pool of " + std::to_string(result_.pool_blocks) +
                     " blocks exceeds the stack's " + std::to_string(layout.blocks_in_stack()) +
                     ": lower kv.headroom, serving.max_batch or the lengths of the workload");
  }
  PoolConfig pool;
  pool.pool_blocks = result_.pool_blocks;
  pool.blocks_per_region = result_.blocks_per_region;
  pool.seed = config.seed;
  pool.scratch = config.scratch;
  pool.block_tokens = static_cast<std::int32_t>(config.shape.block_tokens);
  pool.block_bytes = config.shape.block_tokens * config.shape.kv_bytes_per_token;
  allocator_ = policy.make(pool);
  loop_ = std::make_unique<ServingLoop>(config.serving, std::move(requests), *allocator_);
}

DecodeResult DecodeRun::run(StackPort& port, const StepListener& listener) {
  while (!loop_->done()) {
    loop_->begin_step();
    if (loop_->running().size() > 0) {
      step(port);
      if (listener) listener(result_.steps.back(), loop_->counters());
    }
    loop_->end_step();
    forget_finished();
  }
  result_.serving = loop_->counters();
  result_.blocks = allocator_->counts();
  result_.end = port.now();
  return std::move(result_);
}

void DecodeRun::step(StackPort& port) {
  sync_streams();
  score_step();
  StepRecord record;
  record.step = loop_->step();
  record.running = static_cast<std::int32_t>(loop_->running().size());
  for (const auto& sequence : loop_->running()) record.tokens += sequence.tokens;
  const auto work = kernels(record);
  record.kv_bytes = record.tokens * config_.shape.kv_bytes_per_token;
  const Cycles start = port.now();
  port.execute(work, {nullptr, 0});
  record.latency = port.now() - start;
  result_.kv_bytes += record.kv_bytes;
  result_.all_bank_commands += record.all_bank_commands;
  result_.pim_time += record.latency;
  result_.step_latency_ns.add(nanoseconds(record.latency, clock_));
  result_.steps.push_back(record);
}

void DecodeRun::sync_streams() {
  std::int64_t bursts = 0;
  std::int64_t tokens = 0;
  for (const auto& sequence : loop_->running()) {
    auto& stream = streams_.try_emplace(sequence.id, layout_, config_.reorder).first->second;
    stream.resync(sequence.blocks, sequence.tokens, sequence.table_version);
    bursts += stream.score().bursts;
    tokens += sequence.tokens;
  }
  ensure(bursts * layout_.geometry().column_bytes == tokens * config_.shape.kv_bytes_per_token,
         "the kernels read other bytes than the block tables hold");
}

void DecodeRun::score_step() {
  const auto& scoring = config_.scoring;
  if (loop_->step() % scoring.every_steps != 0) return;
  const auto running = loop_->running();
  const auto count = static_cast<std::int64_t>(running.size());
  if (scoring.max_sequences == 0 || count <= scoring.max_sequences) {
    for (const auto& sequence : running) score(sequence);
    return;
  }
  Random random(scoring.seed, draws_++);
  std::set<std::int64_t> chosen;
  while (static_cast<std::int64_t>(chosen.size()) < scoring.max_sequences) {
    chosen.insert(random.uniform(0, count - 1));
  }
  for (const auto index : chosen) score(running[static_cast<std::size_t>(index)]);
}

void DecodeRun::score(const Sequence& sequence) {
  const Score counts = streams_.at(sequence.id).score();
  result_.m1.add(row_hit_ratio(counts));
  result_.m2.add(bank_participation(counts, layout_.geometry()));
  result_.m3_gbps.add(bandwidth_gbps(counts, layout_.geometry(), config_.scoring.formula));
  const std::int32_t per_region = result_.blocks_per_region;
  std::set<std::int32_t> regions;
  for (const BlockId block : sequence.blocks) regions.insert(block / per_region);
  const auto blocks = static_cast<std::int32_t>(sequence.blocks.size());
  const auto least = (blocks + per_region - 1) / per_region;
  result_.region_spread.add(static_cast<double>(regions.size()) / least);
}

// One kernel per channel class: the passes of all running sequences, in the order they run.
std::vector<DomainKernel> DecodeRun::kernels(StepRecord& record) const {
  std::vector<DomainKernel> work;
  std::int64_t scored_commands = 0;
  for (std::size_t c = 0; c < layout_.classes().size(); ++c) {
    auto kernel = std::make_shared<PimKernel>();
    for (const auto& sequence : loop_->running()) {
      for (const auto& visit : streams_.at(sequence.id).visits(c)) {
        append_runs(visit, layout_.geometry().columns, *kernel);
      }
    }
    if (kernel->empty()) continue;
    std::int64_t commands = 0;
    for (const auto& run : *kernel) commands += run.commands();
    const auto domains = domains_of(layout_.classes()[c], channels_per_domain_);
    const auto members = static_cast<std::int64_t>(domains.size());
    record.all_bank_commands += commands * members;
    record.row_visits += static_cast<std::int64_t>(kernel->size()) * members;
    for (const int domain : domains) work.push_back({domain, kernel});
  }
  for (const auto& sequence : loop_->running())
    scored_commands += streams_.at(sequence.id).score().commands;
  ensure(record.all_bank_commands * channels_per_domain_ == scored_commands,
         "the kernels have other commands than the score counts");
  return work;
}

void DecodeRun::forget_finished() {
  std::set<SequenceId> running;
  for (const auto& sequence : loop_->running()) running.insert(sequence.id);
  for (auto it = streams_.begin(); it != streams_.end();) {
    it = running.count(it->first) == 0 ? streams_.erase(it) : std::next(it);
  }
}

}  // namespace lockstep
