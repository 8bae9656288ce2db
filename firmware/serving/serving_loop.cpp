#include "firmware/serving/serving_loop.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "firmware/serving/pool.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

ServingConfig checked(const ServingConfig& config) {
  std::string wrong;
  const auto require = [&wrong](bool holds, const char* message) {
    if (!holds) wrong += (wrong.empty() ? "" : "\n") + std::string("serving: ") + message;
  };
  require(config.max_batch >= 1, "`max_batch` must be at least 1");
  require(config.block_tokens >= 1, "`block_tokens` must be at least 1");
  require(config.watermark >= 0 && config.watermark < 1, "`watermark` must be in [0, 1)");
  require(config.max_preemptions >= 0, "`max_preemptions` must not be negative");
  if (!wrong.empty()) throw InputError(wrong);
  return config;
}

std::vector<Request> by_arrival(std::vector<Request> requests) {
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
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
    if (std::int64_t{request.prompt_tokens} + request.output_tokens > kMost) {
      complain(": prompt and output exceed 2^31 - 1 tokens");
    }
    if (request.prefix_tokens < 0 || request.prefix_id > kMost - 4) {
      complain(": prefix_tokens must not be negative, nor prefix_id exceed 2^31 - 5");
    }
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
  sequence.request = &request;
  sequence.tokens = request.prompt_tokens;
  return sequence;
}

}  // namespace

ServingLoop::ServingLoop(const ServingConfig& config, std::vector<Request> requests,
                         KvAllocator& allocator)
    : config_(checked(config)),
      requests_(by_arrival(std::move(requests))),
      speculator_(config.speculation ? std::optional<Speculator>(std::in_place, *config.speculation,
                                                                 config.block_tokens, counters_)
                                     : std::nullopt),
      manager_({config.block_tokens, config.prefix_sharing,
                speculator_ ? speculator_->most_scratch_blocks() : 0},
               allocator, counters_) {}

bool ServingLoop::done() const {
  return arrived_ == requests_.size() && !waiting() && running_.empty();
}

void ServingLoop::begin_step() {
  ++step_;
  manager_.copies().clear();
  do {
    if (running_.empty() && !waiting() && arrived_ < requests_.size()) {
      step_ = std::max(step_, requests_[arrived_].arrival_step);
    }
    arrive();
    admit_waiting();
  } while (running_.empty() && !done());
  if (running_.empty()) return;
  ++counters_.steps;
  for (std::size_t i = 0; i < running_.size();) advance(i);
  manager_.rearrange(running_, step_);
}

void ServingLoop::end_step() {
  count_tokens();
  const auto left = std::stable_partition(running_.begin(), running_.end(),
                                          [](const Sequence& s) { return s.tokens_to_come() > 0; });
  for (auto finished = left; finished != running_.end(); ++finished) {
    manager_.release(*finished);
    ++counters_.completed;
  }
  running_.erase(left, running_.end());
  manager_.allocator().check_conservation();
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
    if (blocks_for(head.final_tokens(), config_.block_tokens) >
        manager_.allocator().pool_blocks()) {
      ++counters_.dropped_too_large;
    } else if (try_admit(head) == Outcome::kDone) {
      running_.push_back(std::move(head));
    } else if (running_.empty()) {
      ++counters_.dropped_unplaceable;
    } else {
      return;
    }
    line.pop_front();
  }
}

Outcome ServingLoop::try_admit(Sequence& sequence) {
  std::int64_t kept_free = 0;
  auto counted_tokens = sequence.final_tokens();
  if (config_.admission == Admission::kVllm) {
    kept_free = static_cast<std::int64_t>(config_.watermark * manager_.allocator().pool_blocks());
    counted_tokens = sequence.tokens;
  } else {
    for (const auto& other : running_) kept_free += manager_.committed(other);
  }
  if (manager_.admit(sequence, kept_free, counted_tokens) == Outcome::kNoRoom) {
    ++counters_.admission_failures;
    return Outcome::kNoRoom;
  }
  sequence.admitted_step = step_;
  ++counters_.admitted;
  return Outcome::kDone;
}

// Lets one sequence decode, and moves `index` to the next; who is preempted meanwhile is gone.
void ServingLoop::advance(std::size_t& index) {
  std::int32_t tokens = 0;
  if (speculator_) {
    tokens = speculator_->round(running_[index], manager_);
    if (tokens == 0) ++counters_.speculation_stalls;
  }
  if (tokens == 0) {
    if (make_room(index) == Outcome::kNoRoom) return;
    tokens = 1;
  }
  running_[index].tokens += tokens;
  running_[index].generated += tokens;
  counters_.generated_tokens += tokens;
  ++index;
}

// Room for one token more. Without it the sequence admitted last among the others is preempted, and
// if there is no other, the sequence itself: kNoRoom. `index` follows the sequence.
Outcome ServingLoop::make_room(std::size_t& index) {
  const auto full = [&] {
    const auto& sequence = running_[index];
    return static_cast<std::int64_t>(sequence.blocks.size()) * config_.block_tokens ==
           sequence.tokens;
  };
  while (full() && manager_.grow(running_[index]) == Outcome::kNoRoom) {
    const auto last = running_.size() - 1;
    const auto victim = last == index && last > 0 ? last - 1 : last;
    const bool itself = victim == index;
    preempt(victim);
    if (itself) return Outcome::kNoRoom;
    if (victim < index) --index;
  }
  return Outcome::kDone;
}

// By recomputation: the blocks go, and what was generated joins the prompt.
void ServingLoop::preempt(std::size_t index) {
  auto victim = std::move(running_[index]);
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(index));
  manager_.release(victim);
  ++counters_.preemptions;
  counters_.recomputed_tokens += victim.tokens;
  if (++victim.preemptions > config_.max_preemptions) {
    ++counters_.dropped_preempted;
  } else {
    preempted_.push_front(std::move(victim));
  }
}

void ServingLoop::count_tokens() {
  std::int64_t empty_blocks = manager_.allocator().reserved_blocks();
  std::int64_t used = 0;
  for (const auto& sequence : running_) {
    empty_blocks += static_cast<std::int64_t>(sequence.blocks.size());
    used += sequence.tokens;
  }
  counters_.used_token_steps += used;
  counters_.empty_token_steps += empty_blocks * config_.block_tokens - used;
}

}  // namespace lockstep
