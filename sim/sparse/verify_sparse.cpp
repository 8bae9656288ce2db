#include "sim/sparse/verify_sparse.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "firmware/dsa/partial.h"
#include "firmware/sparse/list_kernels.h"
#include "hw/stack/direct_stack.h"
#include "sim/attention/verify_attention.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

using HeadLists = std::vector<std::vector<BlockList>>;  // of each head, one a pass
using Outputs = std::vector<std::vector<double>>;       // [head x group + query][dim]

std::uint16_t half_of(float number) {
  return fp16_from_double(static_cast<double>(number));
}

// A sequence in the banks of a stack of its own.
class SparseBanks {
 public:
  SparseBanks(const StackConfig& stack, const SparseVerifyCase& verify)
      : verify_(verify),
        map_(stack.map, stack.geometry, stack.channels_per_domain(), verify.shape),
        plan_{map_, split_queries(verify.group, map_.parts() * map_.beats(),
                                  {verify.queries_per_column, stack.bank_unit.queries,
                                   stack.bank_unit.column_parts})},
        pools_(map_, 1, static_cast<std::int64_t>(verify.places.size()) * 3),
        kernels_(plan_, pools_, verify.pipeline),
        stack_(stack) {
    poke(verify.keys, KvTensor::kKey);
    poke(verify.values, KvTensor::kValue);
    std::transform(verify.queries.begin(), verify.queries.end(), std::back_inserter(queries_),
                   half_of);
  }

  // Passes over lists[head]: each list is a pass of its own. `result[head][pass]` has a partial for
  // each query of the group; empty for an empty list. Dims are in the order of the banks.
  using HeadPartials = std::vector<std::vector<std::vector<Partial>>>;
  HeadPartials run(const HeadLists& lists) {
    const OnBanks passes = on_banks(lists);
    std::size_t most = 0;
    for (const auto& of_head : lists) most = std::max(most, of_head.size());
    const PassNumbers numbers = take_numbers(most);
    const std::vector<SequenceQueries> queries(most, queries_);
    execute(kernels_.with_data(kernels_.attention(0, passes.by_head), passes.by_head,
                               {verify_.queries_per_column, queries, numbers}));
    return finish(lists, numbers);
  }

  // One pass a head in two kernels: scores of `guess`; then those of `missed`, and the values of
  // `selected`. One partial a head and query.
  HeadPartials run_late(const HeadLists& guess, const HeadLists& missed,
                        const HeadLists& selected) {
    const OnBanks first = on_banks(guess);
    const OnBanks more = on_banks(missed);
    const OnBanks chosen = on_banks(selected);
    const PassNumbers numbers = take_numbers(1);
    const std::vector<SequenceQueries> queries(1, queries_);
    const ListData data{verify_.queries_per_column, queries, numbers};
    execute(kernels_.scores_with_data(kernels_.scores(0, first.by_head), first.by_head, data));
    ensure(stack_.take_results().empty(), "a kernel that only scores has no results");
    execute(kernels_.rest_with_data(kernels_.rest(0, more.by_head, chosen.by_head), first.by_head,
                                    more.by_head, chosen.by_head, data));
    return finish(selected, numbers);
  }

  // Of the last run, which had one pass a head: dims in order.
  Outputs outputs() const {
    const auto flat = outputs_of(plan_, *numbers_, 1, verify_.group, results_).front();
    Outputs outputs;
    const auto dims = static_cast<std::size_t>(verify_.shape.head_dim);
    for (std::size_t i = 0; i < flat.size(); i += dims) {
      outputs.emplace_back(flat.begin() + static_cast<std::ptrdiff_t>(i),
                           flat.begin() + static_cast<std::ptrdiff_t>(i + dims));
    }
    return outputs;
  }

 private:
  struct OnBanks {
    std::vector<std::unique_ptr<SequencePasses>> passes;
    HeadPassLists by_head;
  };

  OnBanks on_banks(const HeadLists& lists) const {
    OnBanks result;
    result.by_head.resize(lists.size());
    for (std::size_t head = 0; head < lists.size(); ++head) {
      for (const auto& list : lists[head]) {
        result.passes.push_back(std::make_unique<SequencePasses>(plan_));
        if (!list.empty()) assign(list, *result.passes.back());
        result.by_head[head].push_back(result.passes.back().get());
      }
    }
    return result;
  }

  PassNumbers take_numbers(std::size_t sequences) {
    const PassNumbers numbers(plan_, next_pass_);
    next_pass_ = numbers.end(sequences);
    return numbers;
  }

  void execute(const std::vector<DomainKernel>& work) {
    if (!work.empty()) stack_.execute(work, {nullptr, 0});
  }

  HeadPartials finish(const HeadLists& lists, const PassNumbers& numbers) {
    results_ = stack_.take_results();
    numbers_ = numbers;
    return collect(lists, numbers);
  }

  void assign(const BlockList& list, SequencePasses& passes) const {
    std::vector<BlockId> places;
    for (const auto block : list) places.push_back(verify_.places[static_cast<std::size_t>(block)]);
    const std::int64_t block_tokens = verify_.shape.block_tokens;
    const bool open = static_cast<std::size_t>(list.back()) + 1 == verify_.places.size();
    passes.assign(places, open ? (verify_.tokens - 1) % block_tokens + 1 : block_tokens);
  }

  void poke(const std::vector<float>& numbers, KvTensor tensor) {
    const auto& shape = verify_.shape;
    for (std::int64_t token = 0; token < verify_.tokens; ++token) {
      std::vector<std::uint8_t> bytes;
      for (int head = 0; head < shape.kv_heads; ++head) {
        for (int dim = 0; dim < shape.head_dim; ++dim) {
          const auto at = (head * verify_.tokens + token) * shape.head_dim + dim;
          const auto half = half_of(numbers[static_cast<std::size_t>(at)]);
          bytes.push_back(static_cast<std::uint8_t>(half & 0xFF));
          bytes.push_back(static_cast<std::uint8_t>(half >> 8));
        }
      }
      const BlockId block = verify_.places[static_cast<std::size_t>(token / shape.block_tokens)];
      const auto address =
          pools_.address(0, tensor, block, static_cast<int>(token % shape.block_tokens));
      ensure(stack_.poke(address, bytes), "the stack of a verification keeps data");
    }
  }

  HeadPartials collect(const HeadLists& lists, const PassNumbers& numbers) const {
    const auto dims = static_cast<std::size_t>(verify_.shape.head_dim);
    HeadPartials partials(lists.size());
    for (std::size_t head = 0; head < lists.size(); ++head) {
      partials[head].assign(
          lists[head].size(),
          std::vector<Partial>(static_cast<std::size_t>(verify_.group), empty_partial(dims)));
    }
    for (const auto& result : results_) {
      const auto place = numbers.place(result.head_pass);
      auto& of_pass = partials[static_cast<std::size_t>(place.head)][place.sequence];
      const auto& group = plan_.queries[static_cast<std::size_t>(place.group)];
      for (int q = 0; q < group.queries; ++q) {
        const auto i = static_cast<std::size_t>(q);
        const auto* acc = result.acc.data() + i * dims;
        const Partial one{result.m[i], result.l[i], std::vector<float>(acc, acc + dims)};
        auto& query = of_pass[static_cast<std::size_t>(group.first + q)];
        query = merge(query, one);
      }
    }
    return partials;
  }

  const SparseVerifyCase& verify_;
  KvTensorMap map_;
  PassPlan plan_;
  KvPools pools_;
  ListKernels kernels_;
  DirectStack stack_;
  SequenceQueries queries_;
  std::vector<PassResult> results_;
  std::optional<PassNumbers> numbers_;
  std::int64_t next_pass_ = 0;
};

double difference(const std::vector<double>& output, const std::vector<double>& reference) {
  double largest = 0;
  double worst = 0;
  for (std::size_t d = 0; d < reference.size(); ++d) {
    largest = std::max(largest, std::abs(reference[d]));
    const double one = std::abs(output[d] - reference[d]);
    worst = one <= worst ? worst : one;  // a NaN stays
  }
  return largest > 0 ? worst / largest : worst;
}

std::vector<double> doubles(const std::vector<float>& numbers) {
  return {numbers.begin(), numbers.end()};
}

// softmax(q K^T / sqrt(d)) V over the tokens of `blocks`.
std::vector<double> in_double(const HeadView& head, const BlockList& blocks) {
  std::vector<std::int64_t> tokens;
  for (const std::int64_t block : blocks) {
    const auto end = std::min((block + 1) * head.block_tokens, head.tokens);
    for (std::int64_t t = block * head.block_tokens; t < end; ++t) tokens.push_back(t);
  }
  std::vector<double> scores;
  for (const auto t : tokens) {
    double sum = 0;
    const float* key = head.keys + t * static_cast<std::int64_t>(head.head_dim);
    for (std::size_t d = 0; d < head.head_dim; ++d)
      sum += static_cast<double>(head.query[d]) * static_cast<double>(key[d]);
    scores.push_back(sum / std::sqrt(static_cast<double>(head.head_dim)));
  }
  const double top = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  std::vector<double> output(head.head_dim, 0);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const double weight = std::exp(scores[i] - top);
    total += weight;
    const float* value = head.values + tokens[i] * static_cast<std::int64_t>(head.head_dim);
    for (std::size_t d = 0; d < head.head_dim; ++d)
      output[d] += weight * static_cast<double>(value[d]);
  }
  for (double& value : output) value /= total;
  return output;
}

class CaseChecker {
 public:
  CaseChecker(const StackConfig& stack, const SparseVerifyCase& verify)
      : verify_(verify), banks_(stack, verify) {}

  std::array<double, kSparseChecks.size()> run() {
    serial_ = banks_.run(lists([](const AttentionLists& l) {
      return std::vector<BlockList>{all_blocks(l.forced, l.selected)};
    }));
    serial_outputs_ = banks_.outputs();
    check_serial();
    check_union();
    check_partials();
    check_latemask();
    return worst_;
  }

 private:
  using Make = std::function<std::vector<BlockList>(const AttentionLists&)>;
  using Check = std::function<double(int head, int query)>;

  HeadLists lists(const Make& make) const {
    HeadLists all;
    std::transform(verify_.lists.begin(), verify_.lists.end(), std::back_inserter(all), make);
    return all;
  }

  void each(std::size_t row, const Check& check) {
    for (int head = 0; head < verify_.shape.kv_heads; ++head) {
      for (int query = 0; query < verify_.group; ++query) {
        const double one = check(head, query);
        worst_[row] = one <= worst_[row] ? worst_[row] : one;
      }
    }
  }

  const AttentionLists& of(int head) const { return verify_.lists[static_cast<std::size_t>(head)]; }
  std::size_t index(int head, int query) const {
    return static_cast<std::size_t>(head * verify_.group + query);
  }
  static const Partial& at(const SparseBanks::HeadPartials& partials, int head, std::size_t pass,
                           int query) {
    return partials[static_cast<std::size_t>(head)][pass][static_cast<std::size_t>(query)];
  }
  std::vector<double> serial_raw(int head, int query) const {
    return doubles(output_of(at(serial_, head, 0, query)));
  }

  void check_serial() {
    each(0, [&](int head, int query) {
      return difference(
          serial_outputs_[index(head, query)],
          in_double(verify_.head(head, query), all_blocks(of(head).forced, of(head).selected)));
    });
  }

  void check_union() {
    const auto passes = banks_.run(lists([](const AttentionLists& l) {
      return std::vector<BlockList>{all_blocks(l.forced, l.predicted),
                                    blocks_without(l.selected, l.predicted)};
    }));
    const auto whole = banks_.run(lists([](const AttentionLists& l) {
      return std::vector<BlockList>{all_blocks(l.forced, all_blocks(l.predicted, l.selected))};
    }));
    each(1, [&](int head, int query) {
      return difference(
          doubles(output_of(merge(at(passes, head, 0, query), at(passes, head, 1, query)))),
          doubles(output_of(at(whole, head, 0, query))));
    });
    const auto outputs = banks_.outputs();
    each(2, [&](int head, int query) {
      const auto& l = of(head);
      return difference(outputs[index(head, query)],
                        in_double(verify_.head(head, query),
                                  all_blocks(l.forced, all_blocks(l.predicted, l.selected))));
    });
  }

  // Pass 0: forced blocks; 1: missed ones; then those of P, one each.
  void check_partials() {
    const auto passes = banks_.run(lists([](const AttentionLists& l) {
      std::vector<BlockList> all{l.forced, blocks_without(l.selected, l.predicted)};
      for (const auto block : l.predicted) all.push_back({block});
      return all;
    }));
    each(3, [&](int head, int query) {
      Partial sum = merge(at(passes, head, 0, query), at(passes, head, 1, query));
      const auto& l = of(head);
      for (std::size_t i = 0; i < l.predicted.size(); ++i) {
        if (std::binary_search(l.selected.begin(), l.selected.end(), l.predicted[i]))
          sum = merge(sum, at(passes, head, i + 2, query));
      }
      return difference(doubles(output_of(sum)), serial_raw(head, query));
    });
  }

  void check_latemask() {
    const auto late =
        banks_.run_late(lists([](const AttentionLists& l) {
                          return std::vector<BlockList>{all_blocks(l.forced, l.predicted)};
                        }),
                        lists([](const AttentionLists& l) {
                          return std::vector<BlockList>{blocks_without(l.selected, l.predicted)};
                        }),
                        lists([](const AttentionLists& l) {
                          return std::vector<BlockList>{all_blocks(l.forced, l.selected)};
                        }));
    each(4, [&](int head, int query) {
      return difference(doubles(output_of(at(late, head, 0, query))), serial_raw(head, query));
    });
  }

  const SparseVerifyCase& verify_;
  SparseBanks banks_;
  SparseBanks::HeadPartials serial_;
  Outputs serial_outputs_;
  std::array<double, kSparseChecks.size()> worst_{};
};

}  // namespace

SparseVerifySummary verify_sparse(const StackConfig& base, const SparseVerifyOptions& options) {
  const StackConfig stack = sparse_verify_stack(base);
  SparseVerifySummary summary;
  summary.cases = options.cases;
  for (std::int64_t index = 0; index < options.cases; ++index) {
    const auto verify = make_sparse_case(options.seed, index);
    if (verify.tokens % verify.shape.block_tokens != 0) ++summary.open_blocks;
    const auto worst = CaseChecker(stack, verify).run();
    std::string complaint;
    for (std::size_t row = 0; row < worst.size(); ++row) {
      summary.worst[row] = worst[row] <= summary.worst[row] ? summary.worst[row] : worst[row];
      if (worst[row] < kAttentionErrorBound) continue;
      complaint += fmt::format("{}{} differs by {:.3e}", complaint.empty() ? "" : ", ",
                               kSparseChecks[row].name, worst[row]);
    }
    if (complaint.empty()) continue;
    ++summary.failed;
    constexpr std::size_t kShown = 10;
    if (summary.failures.size() < kShown)
      summary.failures.push_back(verify.text() + ": " + complaint);
  }
  return summary;
}

}  // namespace lockstep
