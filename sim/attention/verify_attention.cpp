#include "sim/attention/verify_attention.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "hw/stack/direct_stack.h"
#include "sim/attention/verify_data.h"
#include "sim/cosim/unit_factory.h"
#include "sim/run/system.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

// FNV-1a over 32-bit words.
void mix(std::uint64_t& digest, std::uint64_t word) {
  digest = (digest ^ word) * 0x100000001B3ULL;
}

std::uint64_t digest_of(const std::vector<PassResult>& results, std::int64_t first_pass) {
  std::uint64_t digest = 0xCBF29CE484222325ULL;
  for (const auto& result : results) {
    mix(digest, static_cast<std::uint64_t>(result.head_pass - first_pass));
    for (const auto* numbers : {&result.m, &result.l, &result.acc}) {
      for (const float number : *numbers) mix(digest, bits_of_float(number));
    }
  }
  return digest;
}

// Takes up the larger of two, and any NaN for good.
void raise(double& worst, double value) {
  worst = value <= worst ? worst : value;
}

void compare(const std::vector<double>& output, const ReferenceOutput& reference, std::size_t dims,
             VerifyOutcome& outcome) {
  for (std::size_t row = 0; row < output.size(); row += dims) {
    double largest = 0;
    double difference = 0;
    for (std::size_t d = row; d < row + dims; ++d) {
      largest = std::max(largest, std::abs(reference.values[d]));
      const double one = std::abs(output[d] - reference.values[d]);
      raise(difference, one);
      raise(outcome.bound_share, one / reference.bounds[d]);
    }
    raise(outcome.error, difference / largest);
  }
}

struct CaseResult {
  VerifyOutcome outcome;
  FunctionalStats stats;
  std::int64_t expected_bytes = 0;
  bool full = false;  // every bank of every stripe holds a token
  bool interleaved = false;
};

CaseResult run_alone(const StackConfig& config, const VerifyCase& verify) {
  DirectStack stack(config, make_unit_factory(config.units));
  std::int64_t first_pass = 0;
  CaseResult result;
  result.outcome = run_verify_case(verify, config, stack, first_pass);
  stack.check_identities();
  stack.functional().check_settled();
  result.stats = stack.functional().total_stats();
  const KvTensorMap map(config.map, config.geometry, config.channels_per_domain(), verify.shape);
  const QueryUnit unit{verify.queries_per_column, config.bank_unit.queries,
                       config.bank_unit.column_parts};
  std::int64_t repeats = 0;
  for (const auto& group : split_queries(verify.group, map.parts() * map.beats(), unit))
    repeats += group.repeats * map.beats();
  for (const auto tokens : verify.tokens)
    result.expected_bytes += 2 * tokens * verify.shape.token_bytes() * repeats;
  result.interleaved = verify.shape.layout == KvTensorLayout::kInterleaved;
  result.full = verify.fills_stripes &&
                std::all_of(verify.tokens.begin(), verify.tokens.end(), [&](std::int64_t tokens) {
                  return tokens % verify.shape.block_tokens == 0;
                });
  return result;
}

double participation(const FunctionalStats& stats, int banks) {
  return static_cast<double>(stats.mac_banks) / (static_cast<double>(stats.mac_commands) * banks);
}

std::string complaint_about(const CaseResult& result, int banks) {
  if (!(result.outcome.error < kAttentionErrorBound))
    return fmt::format("error {:.3e} exceeds {:.1e}", result.outcome.error, kAttentionErrorBound);
  if (!(result.outcome.bound_share <= kShareOfDataBound))
    return fmt::format("error is {:.3f} of what the data allow", result.outcome.bound_share);
  if (result.stats.mac_bytes != result.expected_bytes)
    return fmt::format("the banks read {} B instead of {} B", result.stats.mac_bytes,
                       result.expected_bytes);
  const double share = participation(result.stats, banks);
  if (result.full && share != 1) return fmt::format("bank participation {} instead of 1", share);
  if (result.interleaved && share > 0.5)
    return fmt::format("bank participation {} above 0.5", share);
  return "";
}

// One system per stack, at command level; the kernel elaborates all of them before it starts.
class CommandLevel {
 public:
  CommandLevel(const std::vector<StackConfig>& stacks, const std::vector<VerifyCase>& cases,
               std::vector<CaseResult>& alone, std::vector<std::string>& complaints)
      : cases_(cases), alone_(alone), complaints_(complaints) {
    for (std::size_t s = 0; s < stacks.size(); ++s) {
      systems_.push_back(std::make_unique<System>(
          kVerifyStacks[s].name.data(), stacks[s], Detail::kCommand,
          [this, &stacks, s](StackPort& port) { run_cases(stacks[s], s, port); }));
    }
  }

  void run(std::int64_t every) {
    every_ = every;
    for (auto& system : systems_) system->run();
  }

 private:
  void run_cases(const StackConfig& config, std::size_t stack, StackPort& port) {
    std::int64_t first_pass = 0;
    for (const auto& verify : cases_) {
      if (verify.stack != stack || verify.index % every_ != 0) continue;
      const auto outcome = run_verify_case(verify, config, port, first_pass);
      const auto at = static_cast<std::size_t>(verify.index);
      if (outcome.digest == alone_[at].outcome.digest) continue;
      complaints_[at] = "command level gives other bits than stream level";
    }
  }

  const std::vector<VerifyCase>& cases_;
  std::vector<CaseResult>& alone_;
  std::vector<std::string>& complaints_;
  std::vector<std::unique_ptr<System>> systems_;
  std::int64_t every_ = 1;
};

void run_all(const std::vector<StackConfig>& stacks, const std::vector<VerifyCase>& cases, int jobs,
             std::vector<CaseResult>& results) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < cases.size(); i = next++) {
      try {
        results[i] = run_alone(stacks[cases[i].stack], cases[i]);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        failure = std::current_exception();
        next = cases.size();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (auto& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

VerifySummary summary_of(const std::vector<StackConfig>& stacks,
                         const std::vector<VerifyCase>& cases,
                         const std::vector<CaseResult>& results,
                         const std::vector<std::string>& complaints) {
  VerifySummary summary;
  summary.cases = static_cast<std::int64_t>(cases.size());
  summary.split_participation = 1;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& result = results[i];
    mix(summary.digest, result.outcome.digest);
    summary.stats += result.stats;
    const double share = participation(result.stats, stacks[cases[i].stack].banks_in_lockstep());
    if (result.full) summary.split_participation = std::min(summary.split_participation, share);
    if (result.interleaved)
      summary.interleaved_participation = std::max(summary.interleaved_participation, share);
    raise(summary.worst_bound_share, result.outcome.bound_share);
    if (result.outcome.error > summary.worst_error) {
      summary.worst_error = result.outcome.error;
      summary.worst_case = cases[i].text();
    }
    if (complaints[i].empty()) continue;
    ++summary.failed;
    constexpr std::size_t kShown = 10;
    if (summary.failures.size() < kShown)
      summary.failures.push_back(cases[i].text() + ": " + complaints[i]);
  }
  return summary;
}

std::vector<std::string> complaints_about(const std::vector<StackConfig>& stacks,
                                          const std::vector<VerifyCase>& cases,
                                          const std::vector<CaseResult>& results) {
  std::vector<std::string> complaints;
  for (std::size_t i = 0; i < cases.size(); ++i)
    complaints.push_back(complaint_about(results[i], stacks[cases[i].stack].banks_in_lockstep()));
  return complaints;
}

}  // namespace

VerifyOutcome run_verify_case(const VerifyCase& verify, const StackConfig& stack, StackPort& port,
                              std::int64_t& first_pass) {
  const KvTensorMap map(stack.map, stack.geometry, stack.channels_per_domain(), verify.shape);
  const QueryUnit unit{verify.queries_per_column, stack.bank_unit.queries,
                       stack.bank_unit.column_parts};
  const PassPlan plan{map, split_queries(verify.group, map.parts() * map.beats(), unit),
                      verify.scales};
  const KvPools pools(map, 1, verify.pool_blocks);
  const auto data = draw_data(verify);
  poke_data(verify, pools, data, port);
  std::vector<SequencePasses> sequences;
  std::vector<SequenceQueries> queries;
  for (std::size_t s = 0; s < verify.tokens.size(); ++s) {
    sequences.emplace_back(plan);
    sequences.back().resync(verify.tables[s], verify.tokens[s], 1);
    queries.push_back(data[s].queries);
  }
  SequenceList list;
  for (const auto& sequence : sequences) list.push_back(&sequence);
  const PassNumbers numbers(plan, first_pass);
  const auto kernels = step_kernels_with_data(plan, verify.queries_per_column,
                                              step_kernels(plan, pools, 0, verify.pipeline, list),
                                              list, queries, numbers);
  const Cycles start = port.now();
  port.execute(kernels, {nullptr, 0});
  VerifyOutcome outcome;
  outcome.cycles = port.now() - start;
  const auto results = port.take_results();
  outcome.digest = digest_of(results, first_pass);
  const auto outputs = outputs_of(plan, numbers, list.size(), verify.group, results);
  for (std::size_t s = 0; s < data.size(); ++s) {
    compare(outputs[s], reference_output(verify, data[s], verify.tokens[s]),
            static_cast<std::size_t>(verify.shape.head_dim), outcome);
  }
  first_pass = numbers.end(list.size());
  return outcome;
}

VerifySummary verify_attention(const std::vector<StackConfig>& stacks,
                               const VerifyOptions& options) {
  std::vector<VerifyCase> cases;
  for (std::int64_t i = 0; i < options.cases; ++i)
    cases.push_back(make_verify_case(options.seed, i));
  std::vector<CaseResult> results(cases.size());
  run_all(stacks, cases, options.jobs, results);
  auto complaints = complaints_about(stacks, cases, results);
  if (options.command_level_every > 0) {
    CommandLevel level(stacks, cases, results, complaints);
    level.run(options.command_level_every);
  }
  return summary_of(stacks, cases, results, complaints);
}

VerifySummary verify_configured(const RunConfig& config, const std::vector<Request>& requests,
                                std::int64_t sequences, int jobs) {
  ensure(config.attention.has_value(), "attention is verified without its section");
  constexpr std::int64_t kLongest = 3000;
  if (config.stack.halves() > 1)
    throw Unsupported("attention is timed, but not computed, in banks that work in halves");
  std::vector<StackConfig> stacks{config.stack};
  stacks[0].storage = Storage::kSparse;
  std::vector<VerifyCase> cases;
  for (const auto& policy : config.policies) {
    for (std::int64_t i = 0; i < std::min<std::int64_t>(sequences, requests.size()); ++i) {
      const auto& request = requests[static_cast<std::size_t>(i)];
      const std::int64_t tokens = request.prompt_tokens + request.output_tokens;
      cases.push_back(make_configured_case(*config.attention, policy, {std::min(tokens, kLongest)},
                                           static_cast<std::int64_t>(cases.size())));
    }
  }
  std::vector<CaseResult> results(cases.size());
  run_all(stacks, cases, jobs, results);
  return summary_of(stacks, cases, results, complaints_about(stacks, cases, results));
}

}  // namespace lockstep
