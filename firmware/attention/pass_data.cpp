#include "firmware/attention/pass_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tlm/contract/errors.h"
#include "tlm/contract/mac_unit.h"

namespace lockstep {

std::vector<PassChunk> chunks(const Stripes& stripes) {
  std::vector<PassChunk> result(static_cast<std::size_t>(chunks_of(stripes)));
  for (std::size_t i = 0; i < stripes.all().size(); ++i) {
    auto& tokens = result[i / kMacTokens].token_of;
    const auto& stripe = stripes.all()[i].token_of;
    tokens.insert(tokens.end(), stripe.begin(), stripe.end());
  }
  return result;
}

namespace {

// Tokens of a class are numbered from 0 in a pass, in their order in the sequence.
void renumber(std::vector<PassChunk>& chunks) {
  std::vector<std::int32_t> tokens;
  for (const auto& chunk : chunks) {
    for (const auto token : chunk.token_of) {
      if (token != kNoToken) tokens.push_back(token);
    }
  }
  std::sort(tokens.begin(), tokens.end());
  for (auto& chunk : chunks) {
    for (auto& token : chunk.token_of) {
      if (token == kNoToken) continue;
      const auto at = std::lower_bound(tokens.begin(), tokens.end(), token);
      token = static_cast<std::int32_t>(at - tokens.begin());
    }
  }
}

std::vector<PassChunk> chunks_of_class(const PassPlan& plan, const SequencePasses& sequence,
                                       int channel_class) {
  auto result = chunks(sequence.stripes(channel_class, KvTensor::kKey));
  renumber(result);
  if (plan.map.shape().layout == KvTensorLayout::kSplit) return result;
  for (auto& chunk : result) chunk.of = ChunkOf::kKeys;
  auto values = chunks(sequence.stripes(channel_class, KvTensor::kValue));
  renumber(values);
  for (auto& chunk : values) chunk.of = ChunkOf::kValues;
  result.insert(result.end(), values.begin(), values.end());
  return result;
}

std::vector<Column> operands(const KvTensorMap& map, const HeadDomain& domain,
                             const std::uint16_t* head_queries, const QueryGroup& group) {
  std::vector<Column> result;
  for (int query = group.first; query < group.first + group.queries; ++query) {
    for (int part = 0; part < map.parts() * map.beats(); ++part) {
      const auto first =
          query * map.shape().head_dim +
          map.slice(domain.head_channel, part / map.beats(), part % map.beats()) * kMacLanes;
      Column column;
      std::copy_n(head_queries + first, kMacLanes, column.begin());
      result.push_back(column);
    }
  }
  return result;
}

// Softmax state and weighted values of one query, from several passes.
struct Partial {
  bool seen = false;
  double m = 0;
  double l = 0;
  std::vector<double> acc;
};

// A NaN stays. Scores that are all -infinity weigh nothing beside others, though alone they give
// NaN.
void merge(Partial& into, double m, double l, const float* acc, const std::vector<int>& dims) {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  if (into.seen && m == kNothing) return;
  const bool first = !into.seen || into.m == kNothing;
  const double top = first || std::isnan(m) ? m : std::isnan(into.m) ? into.m : std::max(into.m, m);
  const double keep = first ? 0 : std::exp(into.m - top);
  const double add = first ? 1 : std::exp(m - top);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    auto& value = into.acc[static_cast<std::size_t>(dims[i])];
    const double mine = static_cast<double>(acc[i]) * add;
    value = first ? mine : value * keep + mine;
  }
  into.l = first ? l : into.l * keep + l * add;
  into.m = top;
  into.seen = true;
}

// Where the i-th dim of a result belongs in the head.
std::vector<int> dims_of_result(const KvTensorMap& map) {
  std::vector<int> dims;
  for (int channel = 0; channel < map.head_channels(); ++channel) {
    for (int part = 0; part < map.parts(); ++part) {
      for (int lane = 0; lane < map.beats() * kMacLanes; ++lane) {
        dims.push_back(map.slice(channel, part, 0) * kMacLanes + lane);
      }
    }
  }
  return dims;
}

}  // namespace

std::int64_t PassNumbers::number(std::size_t sequence, int head, int group,
                                 int channel_class) const {
  const auto groups = static_cast<std::int64_t>(plan_->queries.size());
  const std::int64_t heads = plan_->map.shape().kv_heads;
  return first_ +
         ((static_cast<std::int64_t>(sequence) * heads + head) * groups + group) *
             plan_->map.classes() +
         channel_class;
}

PassNumbers::Place PassNumbers::place(std::int64_t number) const {
  const auto groups = static_cast<std::int64_t>(plan_->queries.size());
  const std::int64_t heads = plan_->map.shape().kv_heads;
  std::int64_t rest = number - first_;
  Place place{};
  place.channel_class = static_cast<int>(rest % plan_->map.classes());
  rest /= plan_->map.classes();
  place.group = static_cast<int>(rest % groups);
  rest /= groups;
  place.head = static_cast<int>(rest % heads);
  place.sequence = static_cast<std::size_t>(rest / heads);
  return place;
}

void append_passes(const PassPlan& plan, const DomainPasses& at, std::size_t sequence,
                   const SequenceQueries& queries, const PassTokens& tokens, KernelData& data) {
  const auto& map = plan.map;
  const auto heads = static_cast<std::size_t>(map.shape().kv_heads);
  for (int local = 0; local < map.local_heads(); ++local) {
    const int head = map.head(at.domain, local);
    const auto* head_queries =
        queries.data() + static_cast<std::size_t>(head) * (queries.size() / heads);
    for (std::size_t g = 0; g < plan.queries.size(); ++g) {
      PassData pass;
      pass.head_pass = at.numbers.number(sequence, head, static_cast<int>(g), at.channel_class);
      pass.head_channels = map.head_channels();
      pass.head_channel = at.domain.head_channel;
      pass.queries = plan.queries[g].queries;
      pass.queries_per_column = at.queries_per_column;
      pass.parts = map.parts();
      pass.tokens = tokens.tokens;
      pass.scored_before = tokens.scored_before;
      pass.keeps_scores = tokens.keeps_scores;
      pass.scale = static_cast<float>(plan.scales.key /
                                      std::sqrt(static_cast<double>(map.shape().head_dim)));
      pass.value_scale = static_cast<float>(plan.scales.value);
      pass.element = map.shape().element;
      pass.operands = operands(map, at.domain, head_queries, plan.queries[g]);
      pass.chunks = tokens.chunks;
      data.push_back(std::move(pass));
    }
  }
}

KernelData domain_data(const PassPlan& plan, const DomainPasses& at, const SequenceList& sequences,
                       const std::vector<SequenceQueries>& queries) {
  KernelData data;
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    if (!sequences[s]->has_tokens(at.channel_class)) continue;
    PassTokens tokens;
    tokens.chunks = chunks_of_class(plan, *sequences[s], at.channel_class);
    tokens.tokens =
        static_cast<std::int32_t>(sequences[s]->stripes(at.channel_class, KvTensor::kKey).tokens());
    append_passes(plan, at, s, queries[s], tokens, data);
  }
  return data;
}

std::vector<DomainKernel> step_kernels_with_data(const PassPlan& plan, int queries_per_column,
                                                 std::vector<DomainKernel> kernels,
                                                 const SequenceList& sequences,
                                                 const std::vector<SequenceQueries>& queries,
                                                 const PassNumbers& numbers) {
  for (auto& kernel : kernels) {
    for (int c = 0; c < plan.map.classes(); ++c) {
      for (const auto& domain : plan.map.domains(c)) {
        if (domain.domain != kernel.domain) continue;
        kernel.data = std::make_shared<const KernelData>(
            domain_data(plan, {queries_per_column, c, domain, numbers}, sequences, queries));
      }
    }
  }
  return kernels;
}

std::vector<std::vector<double>> outputs_of(const PassPlan& plan, const PassNumbers& numbers,
                                            std::size_t sequences, int query_group,
                                            const std::vector<PassResult>& results) {
  const auto& shape = plan.map.shape();
  const auto dims = dims_of_result(plan.map);
  const auto dim_count = static_cast<std::size_t>(shape.head_dim);
  const auto per_sequence =
      static_cast<std::size_t>(shape.kv_heads) * static_cast<std::size_t>(query_group);
  std::vector<Partial> partial(sequences * per_sequence);
  for (auto& query : partial) query.acc.assign(dim_count, 0);
  for (const auto& result : results) {
    const auto place = numbers.place(result.head_pass);
    const auto& group = plan.queries[static_cast<std::size_t>(place.group)];
    for (int q = 0; q < group.queries; ++q) {
      const auto at = place.sequence * per_sequence +
                      static_cast<std::size_t>(place.head * query_group + group.first + q);
      const auto index = static_cast<std::size_t>(q);
      merge(partial[at], static_cast<double>(result.m[index]), static_cast<double>(result.l[index]),
            result.acc.data() + index * dim_count, dims);
    }
  }
  std::vector<std::vector<double>> outputs(sequences);
  for (std::size_t i = 0; i < partial.size(); ++i) {
    ensure(partial[i].seen, "every query of every head has a result");
    for (const double value : partial[i].acc)
      outputs[i / per_sequence].push_back(value / partial[i].l);
  }
  return outputs;
}

}  // namespace lockstep
