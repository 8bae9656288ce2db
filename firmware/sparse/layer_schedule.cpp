#include "firmware/sparse/layer_schedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {

LayerSchedule::LayerSchedule(const SparseConfig& config, SequenceCache& cache,
                             std::optional<Schedule> schedule, Hertz clock,
                             const SparseStacks& stacks, StreamObserver* observer,
                             SparseResult& result)
    : config_(config),
      cache_(cache),
      schedule_(schedule),
      clock_(clock),
      stacks_(stacks),
      observer_(observer),
      result_(result),
      all_(static_cast<std::size_t>(config.batch)) {
  std::iota(all_.begin(), all_.end(), 0);
}

StageSpans LayerSchedule::run(const LayerStep& at, bool dense) {
  at_ = at;
  spans_ = {};
  processor_free_ = {};
  const auto stage = [&](XpuStage part) {
    return clocks(stage_ns(config_.xpu, config_.layer, part, config_.batch));
  };
  spend(SparseStage::kQkv, stage(XpuStage::kQkv));
  write_new_tokens();
  const bool speculates = !dense && schedule_ && schedule_has(&ScheduleInfo::speculates) &&
                          config_.overlap != OverlapPolicy::kNone &&
                          config_.overlap != OverlapPolicy::kInterRequest;
  if (dense || !schedule_) {
    attend_dense();
  } else if (config_.overlap == OverlapPolicy::kInterRequest ||
             config_.overlap == OverlapPolicy::kHybrid) {
    attend_overlapped(speculates);
  } else {
    attend_together(speculates);
  }
  const Cycles begin = stacks_.kv.now();
  const Cycles projected = begin + stage(XpuStage::kProjection);
  const Cycles end = projected + stage(XpuStage::kFfn);
  spans_.add(SparseStage::kProjection, begin, projected);
  spans_.add(SparseStage::kFfn, projected, end);
  if (!dense && schedule_) {
    execute(stacks_.kv, SparseStage::kCopies, SparseStream::kCopies, {}, cache_.copies(at_),
            SparseStream::kCopies);
  }
  wait_until(end);
  return spans_;
}

// Summaries that lie apart are written beside K and V.
void LayerSchedule::write_new_tokens() {
  constexpr auto kStream = SparseStream::kKvWrite;
  const auto summaries = cache_.summary_writes(at_);
  if (!summaries.empty()) {
    bring_to_now(stacks_.summaries);
    stacks_.summaries.execute({nullptr, 0}, summaries);
    if (observer_ != nullptr) observer_->executed(kStream, kStream);
  }
  execute(stacks_.kv, SparseStage::kKvWrite, kStream, {}, cache_.writes(at_), kStream);
  if (summaries.empty()) return;
  const Cycles begin = stacks_.kv.now();
  const Cycles end = std::max(begin, stacks_.summaries.completions().accesses);
  spans_.add(SparseStage::kKvWrite, begin, end);
  result_.streams[static_cast<std::size_t>(kStream)].busy += end - begin;
  wait_until(end);
}

void LayerSchedule::attend_dense() {
  spend(SparseStage::kHandOff, clocks(config_.hand_off.doorbell_ns));
  execute(SparseStage::kAttention, SparseStream::kDense, cache_.dense(at_));
  spend(SparseStage::kHandOff, clocks(config_.hand_off.sync_ns));
}

void LayerSchedule::attend_together(bool speculates) {
  spend(SparseStage::kHandOff, clocks(config_.hand_off.doorbell_ns));
  const Selected selected = select(all_, speculates);
  const bool follows = !speculates || cache_.needs_more(at_, all_);
  Cycles unit_free;
  std::optional<std::int64_t> entries;
  if (follows) entries = cache_.list_entries(at_, all_, speculates);
  const Cycles list = list_ready(selected.scores, all_, unit_free, entries);
  if (speculates) {
    ++result_.windows.layers;
    if (selected.guess > list) ++result_.windows.overruns;
    result_.windows.slack += list - selected.guess;
  }
  wait_until(std::max(list, selected.guess));
  if (follows) {
    follow_up(all_, speculates);
    spend(SparseStage::kHandOff, clocks(config_.hand_off.sync_ns));
  }
}

// Requests whose attention is ready run; selections go first, since lists take time to make.
void LayerSchedule::attend_overlapped(bool speculates) {
  spend(SparseStage::kHandOff, clocks(config_.hand_off.doorbell_ns));
  auto flights = start_selections();
  for (std::size_t left = flights.size(); left > 0; --left) {
    const auto now = stacks_.kv.now();
    auto next = std::min_element(flights.begin(), flights.end(), [&](const auto& a, const auto& b) {
      return std::make_pair(a.done, std::max(a.list, now)) <
             std::make_pair(b.done, std::max(b.list, now));
    });
    if (speculates && next->list > now) {
      speculate_while_idle(flights);
      next = std::min_element(flights.begin(), flights.end(), [](const auto& a, const auto& b) {
        return std::make_pair(a.done, a.list) < std::make_pair(b.done, b.list);
      });
    }
    wait_until(next->list);
    follow_up({next->request}, next->guessed);
    next->done = true;
  }
  spend(SparseStage::kHandOff, clocks(config_.hand_off.sync_ns));
}

std::vector<LayerSchedule::InFlight> LayerSchedule::start_selections() {
  std::vector<InFlight> flights;
  Cycles unit_free;
  for (const int request : all_) {
    const Cycles scores = select({request}, false).scores;
    const auto entries = cache_.list_entries(at_, {request}, false);
    flights.push_back({request, list_ready(scores, {request}, unit_free, entries), false, false});
  }
  return flights;
}

// The request that has to wait longest attends to its guess meanwhile, if that has paid so far.
void LayerSchedule::speculate_while_idle(std::vector<InFlight>& flights) {
  for (;;) {
    const auto now = stacks_.kv.now();
    Cycles idle_until{INT64_MAX};
    InFlight* chosen = nullptr;
    for (auto& flight : flights) {
      if (flight.done) continue;
      idle_until = std::min(idle_until, flight.list);
      if (!flight.guessed && (chosen == nullptr || flight.list > chosen->list)) chosen = &flight;
    }
    if (chosen == nullptr || idle_until <= now || !pays(idle_until - now)) return;
    latest_guess_ = execute(SparseStage::kSpeculation, SparseStream::kSpeculation,
                            cache_.guess(at_, {chosen->request}));
    chosen->guessed = true;
  }
}

// Whether a guess and its repair, begun now, end before attention begun when the stack would have
// been idle for so long: by the latest of each. Attention is measured first, then a guess is tried.
bool LayerSchedule::pays(Cycles idle) const {
  if (latest_attention_ == Cycles{0}) return false;
  if (latest_guess_ == Cycles{0}) return true;
  return latest_guess_ + latest_repair_ < idle + latest_attention_;
}

void LayerSchedule::follow_up(const RequestList& requests, bool guessed) {
  if (!guessed) {
    latest_attention_ =
        execute(SparseStage::kAttention, SparseStream::kAttention, cache_.attention(at_, requests));
    return;
  }
  if (schedule_has(&ScheduleInfo::recomputes)) {
    if (cache_.needs_more(at_, requests)) {
      latest_repair_ = execute(SparseStage::kAttention, SparseStream::kAttention,
                               cache_.attention(at_, requests));
    }
    return;
  }
  if (!schedule_has(&ScheduleInfo::repairs)) return;
  const auto work = cache_.repair(at_, requests);
  if (work.kernels.empty()) return;
  latest_repair_ = execute(SparseStage::kRepair, SparseStream::kRepair, work);
  if (config_.repair == RepairMode::kRecompute || config_.repair == RepairMode::kExactLatemask)
    return;
  // Two partial results of each query head: weighted values and (m, l), in fp32.
  constexpr double kBytesOfNumber = 4;
  const double bytes = 2 * kBytesOfNumber * (config_.shape.head_dim + 2) * config_.shape.kv_heads *
                       config_.group * static_cast<double>(requests.size());
  spend(SparseStage::kMerge,
        clocks(config_.hand_off.merge_ns + bytes / config_.hand_off.merge_gbps));
}

LayerSchedule::Selected LayerSchedule::select(const RequestList& requests, bool with_guess) {
  if (config_.selection == SelectionEngine::kXpu) return select_by_processor(requests, with_guess);
  Selected selected;
  if (config_.summaries == SummaryHome::kSame) {
    execute(SparseStage::kSelection, SparseStream::kSelection, cache_.selection(at_, requests));
    selected.scores = stacks_.kv.now();
  } else {
    auto& other = stacks_.summaries;
    bring_to_now(other);
    execute(other, SparseStage::kSelection, SparseStream::kSelection,
            cache_.selection(at_, requests), {nullptr, 0}, SparseStream::kSelection);
    selected.scores = other.now();
  }
  if (with_guess) {
    execute(SparseStage::kSpeculation, SparseStream::kSpeculation, cache_.guess(at_, requests));
  }
  selected.guess = stacks_.kv.now();
  return selected;
}

// The processor's launch follows its reads: it ends when the scores are in its memory.
LayerSchedule::Selected LayerSchedule::select_by_processor(const RequestList& requests,
                                                           bool with_guess) {
  const Cycles launch = clocks(config_.xpu.launch_us * 1e3);
  const auto guess = with_guess ? cache_.guess(at_, requests) : SequenceCache::Work{};
  Cycles read;
  if (config_.summaries == SummaryHome::kXpu) {
    const auto bytes = static_cast<double>(cache_.summary_bytes(at_, requests));
    const Cycles begin = std::max(stacks_.kv.now(), processor_free_);
    read = begin + clocks(bytes / (config_.xpu.memory_gbps * config_.xpu.memory_efficiency));
    spans_.add(SparseStage::kSelection, begin, read);
    processor_free_ = read + launch;
  } else {
    const auto reads = cache_.summary_reads(at_, requests);
    result_.streams[static_cast<std::size_t>(SparseStream::kSelection)].kv_bytes +=
        cache_.summary_bytes(at_, requests);
    if (with_guess && config_.summaries == SummaryHome::kSame) {
      const Cycles begin = stacks_.kv.now();
      const auto done = execute(stacks_.kv, SparseStage::kSpeculation, SparseStream::kSpeculation,
                                guess, reads, SparseStream::kSelection);
      spans_.add(SparseStage::kSelection, begin, done.accesses + launch);
      return {done.accesses + launch, done.kernels};
    }
    auto& port = config_.summaries == SummaryHome::kSame ? stacks_.kv : stacks_.summaries;
    bring_to_now(port);
    read = execute(port, SparseStage::kSelection, SparseStream::kSelection, {}, reads,
                   SparseStream::kSelection)
               .accesses;
  }
  spans_.add(SparseStage::kSelection, read, read + launch);
  if (with_guess) execute(SparseStage::kSpeculation, SparseStream::kSpeculation, guess);
  return {read + launch, stacks_.kv.now()};
}

void LayerSchedule::bring_to_now(StackPort& port) const {
  const Cycles now = stacks_.kv.now();
  if (port.now() < now) port.wait(now - port.now());
}

Cycles LayerSchedule::list_ready(Cycles scores, const RequestList& requests, Cycles& unit_free,
                                 std::optional<std::int64_t> entries) {
  const auto& hand_off = config_.hand_off;
  const Cycles noticed = scores + clocks(hand_off.sync_ns);
  spans_.add(SparseStage::kHandOff, scores, noticed);
  const auto count = static_cast<double>(cache_.scores(at_, requests));
  const Cycles begin = std::max(noticed, unit_free);
  // Waiting for the unit is part of its work for others.
  const Cycles chosen = begin + clocks(hand_off.top_k_ns + count / hand_off.top_k_scores_ns);
  unit_free = chosen;
  spans_.add(SparseStage::kTopK, noticed, chosen);
  if (!entries) return chosen;
  constexpr double kBytesOfEntry = 4;
  const double list_ns = kBytesOfEntry * static_cast<double>(*entries) / hand_off.descriptor_gbps;
  const Cycles known = chosen + clocks(hand_off.descriptor_ns + list_ns + hand_off.doorbell_ns);
  spans_.add(SparseStage::kHandOff, chosen, known);
  return known;
}

void LayerSchedule::spend(SparseStage stage, Cycles clocks) {
  const Cycles begin = stacks_.kv.now();
  spans_.add(stage, begin, begin + clocks);
  wait_until(begin + clocks);
}

void LayerSchedule::wait_until(Cycles when) {
  const Cycles now = stacks_.kv.now();
  if (now < when) stacks_.kv.wait(when - now);
}

Cycles LayerSchedule::clocks(double ns) const {
  constexpr double kPicoseconds = 1e3;
  return cycles_ceil({std::llround(ns * kPicoseconds)}, clock_);
}

Completions LayerSchedule::execute(StackPort& port, SparseStage stage, SparseStream stream,
                                   const SequenceCache::Work& work, Span<HostAccess> accesses,
                                   SparseStream access_stream) {
  const Cycles begin = port.now();
  if (work.kernels.empty() && accesses.size() == 0) return {begin, begin};
  port.execute(work.kernels, accesses);
  const auto done = port.completions();
  auto& of_kernels = result_.streams[static_cast<std::size_t>(stream)];
  of_kernels.kv_bytes += work.kv_bytes;
  of_kernels.busy += done.kernels - begin;
  result_.streams[static_cast<std::size_t>(access_stream)].busy += done.accesses - begin;
  if (observer_ != nullptr) observer_->executed(stream, access_stream);
  spans_.add(stage, begin, work.kernels.empty() ? done.accesses : done.kernels);
  return done;
}

Cycles LayerSchedule::execute(SparseStage stage, SparseStream stream,
                              const SequenceCache::Work& work) {
  const Cycles begin = stacks_.kv.now();
  return execute(stacks_.kv, stage, stream, work, {nullptr, 0}, stream).kernels - begin;
}

}  // namespace lockstep
