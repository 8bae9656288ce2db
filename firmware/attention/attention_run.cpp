#include "firmware/attention/attention_run.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "firmware/decode/region_size.h"
#include "firmware/serving/pool.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

std::int64_t bytes_of(const std::vector<HostAccess>& accesses) {
  std::int64_t bytes = 0;
  for (const auto& access : accesses) bytes += access.bytes;
  return bytes;
}

}  // namespace

AttentionRun::AttentionRun(const AttentionConfig& config, const KvTensorMap& map,
                           const KvPolicy& policy, std::vector<Request> requests,
                           const StackRates& rates)
    : config_(config),
      map_(map),
      rates_(rates),
      plan_{map, split_queries(config.group, map.parts() * map.beats(), config.unit), {}} {
  const KvShape shape{config.shape.block_tokens, config.shape.record_bytes()};
  const auto per_region = blocks_per_region(map.geometry(), shape);
  if (!per_region && policy.rounding == PoolRounding::kRegion) {
    throw SettingError("kv.block_tokens",
                       fmt::format("policy `{}`: a region (one row index over all banks and "
                                   "channels) is not a whole number "
                                   "of blocks of {} tokens x {} B; choose another kv.block_tokens",
                                   policy.name, shape.block_tokens, shape.kv_bytes_per_token));
  }
  result_.simulated_layers = simulated_layers();
  result_.blocks_per_region = per_region.value_or(1);
  result_.pool_blocks =
      pool_blocks(config.headroom, config.serving.max_batch, requests, config.shape.block_tokens,
                  result_.blocks_per_region, policy.rounding);
  pools_ = std::make_unique<KvPools>(map, config.layers, result_.pool_blocks);
  PoolConfig pool;
  pool.pool_blocks = result_.pool_blocks;
  pool.blocks_per_region = result_.blocks_per_region;
  pool.seed = config.seed;
  pool.scratch = config.scratch;
  pool.block_tokens = config.shape.block_tokens;
  pool.block_bytes = config.shape.block_bytes();
  allocator_ = policy.make(pool);
  loop_ = std::make_unique<ServingLoop>(config.serving, std::move(requests), *allocator_);
}

AttentionResult AttentionRun::run(StackPort& port, StageProbe* probe,
                                  const AttentionListener& listener) {
  while (!loop_->done()) {
    loop_->begin_step();
    if (loop_->running().size() > 0 && loop_->step() % config_.simulate_every == 0) {
      step(port, probe);
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

void AttentionRun::step(StackPort& port, StageProbe* probe) {
  AttentionStep record;
  record.step = loop_->step();
  record.running = static_cast<std::int32_t>(loop_->running().size());
  for (const auto& sequence : loop_->running()) {
    record.tokens += sequence.tokens;
    auto& cached = cached_.try_emplace(sequence.id, plan_).first->second;
    cached.passes.resync(sequence.blocks, sequence.tokens, sequence.table_version);
    if (cached.table_version != sequence.table_version) cached.written = 0;
    cached.table_version = sequence.table_version;
    if (config_.simulate_every > 1) cached.written = sequence.tokens - 1;
  }
  if (config_.writes != WriteTiming::kNone) prefill(port, record);
  attend(port, probe, record);
  for (const auto& sequence : loop_->running()) cached_.at(sequence.id).written = sequence.tokens;
  add_to_totals(record);
  result_.steps.push_back(record);
}

// What was not in the cache before this step's token: prompts, recomputed ones too.
void AttentionRun::prefill(StackPort& port, AttentionStep& record) {
  std::vector<HostAccess> writes;
  for (const auto& sequence : loop_->running()) {
    auto& cached = cached_.at(sequence.id);
    for (int i = 0; i < simulated_layers(); ++i) {
      // All layers end with the last one: one stands for that.
      const int layer = (first_layer() + i + config_.layers - simulated_layers()) % config_.layers;
      pools_->append_writes(layer, sequence.blocks, cached.written, sequence.tokens - 1, writes);
    }
    cached.written = std::max<std::int64_t>(cached.written, sequence.tokens - 1);
  }
  if (writes.empty()) return;
  record.written_bytes += bytes_of(writes);
  const Cycles start = port.now();
  port.execute({nullptr, 0}, writes);
  record.prefill_write = config_.layers / simulated_layers() * (port.now() - start);
}

void AttentionRun::attend(StackPort& port, StageProbe* probe, AttentionStep& record) {
  std::vector<std::vector<const Sequence*>> halves(static_cast<std::size_t>(config_.sub_batches));
  for (const auto& sequence : loop_->running()) {
    auto& smallest =
        *std::min_element(halves.begin(), halves.end(),
                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    smallest.push_back(&sequence);
  }
  std::vector<LayerTimes> times;
  for (const auto& half : halves) {
    if (!half.empty()) times.push_back(attend_sub_batch(port, probe, half, record));
  }
  record.time = compose_step(times, config_.layers);
}

LayerTimes AttentionRun::attend_sub_batch(StackPort& port, StageProbe* probe,
                                          Span<const Sequence*> sequences, AttentionStep& record) {
  SequenceList list;
  for (const auto* sequence : sequences) list.push_back(&cached_.at(sequence->id).passes);
  const Cycles start = port.now();
  Cycles written;
  for (int i = 0; i < simulated_layers(); ++i) {
    const int layer = (first_layer() + i) % config_.layers;
    std::vector<HostAccess> writes;
    if (config_.writes != WriteTiming::kNone) {
      for (const auto* sequence : sequences) append_writes(layer, *sequence, writes);
    }
    record.written_bytes += bytes_of(writes);
    const Cycles begin = port.now();
    if (config_.writes == WriteTiming::kBefore) {
      port.execute({nullptr, 0}, writes);
      written += port.now() - begin;
      writes.clear();
    }
    const auto kernels = step_kernels(plan_, *pools_, layer, config_.pipeline, list);
    port.execute(kernels, writes);
    if (probe != nullptr) record.stages += probe->take(begin, port.now());
    if (i == 0) count(kernels, list, record.counts);
  }
  if (config_.simulated == SimulatedLayers::kOne) ++turns_;
  const int times = config_.layers / simulated_layers();
  const Cycles both = port.now() - start;
  record.kv_write += times * written;
  record.attention += times * (both - written);
  LayerTimes layer;
  layer.attention_ns = nanoseconds(both, rates_.clock) / simulated_layers();
  const auto batch = static_cast<std::int64_t>(sequences.size());
  for (std::size_t i = 0; i < kXpuStages.size(); ++i) {
    const auto stage = static_cast<XpuStage>(i);
    const double ns = stage_ns(config_.xpu, config_.layer, stage, batch);
    record.xpu_ns[i] += config_.layers * ns;
    (stage == XpuStage::kQkv ? layer.before_ns : layer.after_ns) += ns;
  }
  return layer;
}

void AttentionRun::append_writes(int layer, const Sequence& sequence,
                                 std::vector<HostAccess>& writes) const {
  pools_->append_writes(layer, sequence.blocks, cached_.at(sequence.id).written, sequence.tokens,
                        writes);
}

void AttentionRun::add_to_totals(const AttentionStep& record) {
  result_.tokens += record.running;
  result_.counts += record.counts;
  result_.written_bytes += record.written_bytes;
  result_.prefill_write += record.prefill_write;
  result_.kv_write += record.kv_write;
  result_.attention += record.attention;
  result_.stages += record.stages;
  for (std::size_t i = 0; i < record.xpu_ns.size(); ++i) result_.xpu_ns[i] += record.xpu_ns[i];
  auto& time = result_.time;
  time.total_ns += record.time.total_ns;
  time.xpu_busy_ns += record.time.xpu_busy_ns;
  time.pim_busy_ns += record.time.pim_busy_ns;
  time.exposed_pim_ns += record.time.exposed_pim_ns;
  time.exposed_xpu_ns += record.time.exposed_xpu_ns;
  result_.step_ns.add(record.time.total_ns);
  result_.attention_ns.add(nanoseconds(record.attention, rates_.clock));
}

void AttentionRun::forget_finished() {
  std::set<SequenceId> running;
  for (const auto& sequence : loop_->running()) running.insert(sequence.id);
  for (auto it = cached_.begin(); it != cached_.end();) {
    it = running.count(it->first) == 0 ? cached_.erase(it) : std::next(it);
  }
}

}  // namespace lockstep
