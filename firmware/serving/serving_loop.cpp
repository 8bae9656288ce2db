#include "firmware/serving/serving_loop.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "firmware/serving/pool.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

void check(const ServingConfig& config) {
  std::string wrong;
  const auto require = [&wrong](bool holds, const char* message) {
    if (!holds) wrong += (wrong.empty() ? "" : "\n") + std::string("serving: ") + message;
  };
  require(config.max_batch >= 1, "`max_batch` must be at least 1");
  require(config.block_tokens >= 1, "`block_tokens` must be at least 1");
  require(config.watermark >= 0 && config.watermark < 1, "`watermark` must be in [0, 1)");
  require(config.max_preemptions >= 0, "`max_preemptions` must not be negative");
  if (!wrong.empty()) throw InputError(wrong);
}

std::vector<Request> by_arrival(std::vector<Request> requests) {
  std::set<std::int32_t> ids;
  std::string wrong;
  for (const auto& request : requests) {
    const auto complain = [&](const std::string& message) {
      wrong += (wrong.empty() ? "" : "\n") + ("request " + std::to_string(request.id)) + message;
    };
    if (request.id < 0) complain(": its id is negative");
    if (!ids.insert(request.id).second) complain(" occurs twice");
    if (request.prompt_tokens < 1) complain(": needs at least 1 prompt token");
    if (request.output_tokens < 1) complain(": needs at least 1 output token");
  }
  if (!wrong.empty()) throw InputError(wrong);
  std::stable_sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
    return a.arrival_step < b.arrival_step;
  });
  return requests;
}

Sequence sequence_of(const Request& request) {
  Sequence sequence;
  sequence.id = request.id;
  sequence.tokens = request.prompt_tokens;
  sequence.final_tokens = request.prompt_tokens + request.output_tokens;
  sequence.output_tokens = request.output_tokens;
  return sequence;
}

}  // namespace

ServingLoop::ServingLoop(const ServingConfig& config, std::vector<Request> requests,
                         KvAllocator& allocator)
    : config_(config), requests_(by_arrival(std::move(requests))), allocator_(allocator) {
  check(config_);
}

bool ServingLoop::done() const {
  return arrived_ == requests_.size() && !waiting() && running_.empty();
}

void ServingLoop::begin_step() {
  ++step_;
  do {
    if (running_.empty() && !waiting() && arrived_ < requests_.size()) {
      step_ = std::max(step_, requests_[arrived_].arrival_step);
    }
    arrive();
    admit_waiting();
  } while (running_.empty() && !done());
  if (running_.empty()) return;
  ++counters_.steps;
  grow_all();
}

void ServingLoop::end_step() {
  const auto left = std::stable_partition(running_.begin(), running_.end(),
                                          [](const Sequence& s) { return !s.finished(); });
  for (auto finished = left; finished != running_.end(); ++finished) {
    allocator_.release(finished->id, finished->blocks);
    ++counters_.completed;
  }
  running_.erase(left, running_.end());
  allocator_.check_conservation();
}

void ServingLoop::arrive() {
  while (arrived_ < requests_.size() && requests_[arrived_].arrival_step <= step_) {
    queue_.push_back(sequence_of(requests_[arrived_++]));
  }
}

// First come, first served: a head that does not fit holds up all behind it.
void ServingLoop::admit_waiting() {
  while (waiting() && running_.size() < static_cast<std::size_t>(config_.max_batch)) {
    auto& line = preempted_.empty() ? queue_ : preempted_;
    auto& head = line.front();
    if (blocks_for(head.final_tokens, config_.block_tokens) > allocator_.pool_blocks()) {
      ++counters_.dropped_too_large;
    } else if (try_admit(head) == Outcome::kAdmitted) {
      running_.push_back(std::move(head));
    } else if (running_.empty()) {
      ++counters_.dropped_unplaceable;
    } else {
      return;
    }
    line.pop_front();
  }
}

ServingLoop::Outcome ServingLoop::try_admit(Sequence& sequence) {
  std::optional<std::vector<BlockId>> blocks;
  if (fits(sequence)) {
    blocks = allocator_.admit(sequence.id, blocks_for(sequence.tokens, config_.block_tokens),
                              blocks_for(sequence.final_tokens, config_.block_tokens));
  }
  if (!blocks) {
    ++counters_.admission_failures;
    return Outcome::kRefused;
  }
  sequence.blocks = std::move(*blocks);
  sequence.admitted_step = step_;
  ++sequence.table_version;
  ++counters_.admitted;
  return Outcome::kAdmitted;
}

bool ServingLoop::fits(const Sequence& sequence) const {
  if (config_.admission == Admission::kVllm) {
    const auto watermark = static_cast<std::int32_t>(config_.watermark * allocator_.pool_blocks());
    const auto prompt = blocks_for(sequence.tokens, config_.block_tokens);
    return allocator_.free_blocks() - allocator_.growth(0, prompt) >= watermark;
  }
  std::int64_t committed = 0;
  for (const auto& other : running_) {
    committed += allocator_.growth(static_cast<std::int32_t>(other.blocks.size()),
                                   blocks_for(other.final_tokens, config_.block_tokens));
  }
  const auto final = blocks_for(sequence.final_tokens, config_.block_tokens);
  return allocator_.free_blocks() - committed >= allocator_.growth(0, final);
}

void ServingLoop::grow_all() {
  for (std::size_t i = 0; i < running_.size();) {
    if (append_token(i)) ++i;
  }
}

// False if the sequence had to give up its own place. `index` follows it when others leave.
bool ServingLoop::append_token(std::size_t& index) {
  const auto holds = [&] {
    return static_cast<std::int64_t>(running_[index].blocks.size()) * config_.block_tokens;
  };
  while (running_[index].tokens + 1 > holds()) {
    if (const auto block = allocator_.append(running_[index].id)) {
      running_[index].blocks.push_back(*block);
      break;
    }
    ensure(config_.admission == Admission::kVllm, "the oracle admitted more than can finish");
    const auto last = running_.size() - 1;
    if (last == 0) {
      preempt(index);
      return false;
    }
    const auto victim = last == index ? last - 1 : last;
    preempt(victim);
    if (victim < index) --index;
  }
  ++running_[index].tokens;
  ++running_[index].generated;
  ++counters_.generated_tokens;
  return true;
}

// By recomputation: the blocks go, and what was generated joins the prompt.
void ServingLoop::preempt(std::size_t index) {
  auto victim = std::move(running_[index]);
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(index));
  allocator_.release(victim.id, victim.blocks);
  victim.blocks.clear();
  ++counters_.preemptions;
  counters_.recomputed_tokens += victim.tokens;
  if (++victim.preemptions > config_.max_preemptions) {
    ++counters_.dropped_preempted;
  } else {
    preempted_.push_front(std::move(victim));
  }
}

}  // namespace lockstep
