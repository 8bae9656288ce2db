#include "firmware/sparse/list_kernels.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "firmware/sparse/late_mask.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Runs of one pass at their place in stack and kernel, all but softmax.
void append_scores(const PimKernel& runs, std::int32_t first_row, std::int32_t pass,
                   PimKernel& kernel) {
  for (PimRun run : runs) {
    if (run.op == PimOp::kSfm) continue;
    run.pass = pass;
    if (run.op == PimOp::kMacAb) run.row += first_row;
    kernel.push_back(run);
  }
}

// `chunks_later`: by how much chunks lie later in the PassData than the runs say.
void append_context(const PassRuns& runs, std::int32_t first_row, std::int32_t pass,
                    int chunks_later, PimKernel& kernel) {
  kernel.push_back(runs.scores.back());
  kernel.back().pass = pass;
  for (PimRun run : runs.context) {
    run.pass = pass;
    run.chunk = static_cast<std::int16_t>(run.chunk + chunks_later);
    if (run.op == PimOp::kMacAb) run.row += first_row;
    kernel.push_back(run);
  }
}

}  // namespace

ListKernels::ListKernels(const PassPlan& plan, const KvPools& pools, Pipeline pipeline)
    : plan_(plan), pools_(pools), pipeline_(pipeline) {
  if (plan.map.local_heads() == 1) return;
  throw Unsupported(
      fmt::format("sparse attention needs channels of their own for each KV head, but under this "
                  "address map a lockstep domain holds {} of {} heads; use host-cacheline, or more "
                  "heads or dims",
                  plan.map.local_heads(), plan.map.shape().kv_heads));
}

// `make(channel_class, head)` gives the kernel of the head's domains of the class.
template <typename Make>
std::vector<DomainKernel> ListKernels::by_head(const Make& make) const {
  std::vector<DomainKernel> work;
  for (int c = 0; c < plan_.map.classes(); ++c) {
    for (int head = 0; head < plan_.map.shape().kv_heads; ++head) {
      auto kernel = std::make_shared<const PimKernel>(make(c, head));
      if (kernel->empty()) continue;
      for (const auto& domain : plan_.map.domains(c)) {
        if (plan_.map.head(domain, 0) == head) work.push_back({domain.domain, kernel, {}});
      }
    }
  }
  return work;
}

std::vector<DomainKernel> ListKernels::attention(int layer, const HeadPassLists& lists) const {
  return by_head([&](int channel_class, int head) {
    return step_kernel(plan_, pools_, layer, pipeline_, channel_class,
                       lists[static_cast<std::size_t>(head)]);
  });
}

std::vector<DomainKernel> ListKernels::dense(int layer, const SequenceList& sequences) const {
  return step_kernels(plan_, pools_, layer, pipeline_, sequences);
}

std::vector<DomainKernel> ListKernels::scores(int layer, const HeadPassLists& lists) const {
  const auto first_row = pools_.first_row(layer, KvTensor::kKey);
  return by_head([&](int channel_class, int head) {
    PimKernel kernel;
    std::int32_t number = 0;
    for (const auto* sequence : lists[static_cast<std::size_t>(head)]) {
      if (!sequence->has_tokens(channel_class)) continue;
      for (int pass = 0; pass < plan_.passes(); ++pass)
        append_scores(sequence->runs(channel_class, pass).scores, first_row, number++, kernel);
    }
    return kernel;
  });
}

std::vector<DomainKernel> ListKernels::rest(int layer, const HeadPassLists& missed,
                                            const HeadPassLists& selected) const {
  const auto keys = pools_.first_row(layer, KvTensor::kKey);
  const auto values = pools_.first_row(layer, KvTensor::kValue);
  return by_head([&](int channel_class, int head) {
    PimKernel kernel;
    std::int32_t number = 0;
    const auto h = static_cast<std::size_t>(head);
    for (std::size_t i = 0; i < selected[h].size(); ++i) {
      if (!selected[h][i]->has_tokens(channel_class)) continue;
      const int missed_chunks = chunks_of(missed[h][i]->stripes(channel_class, KvTensor::kKey));
      const int chunks_later = missed_chunks - selected[h][i]->first_value_chunk(channel_class);
      for (int pass = 0; pass < plan_.passes(); ++pass) {
        if (missed[h][i]->has_tokens(channel_class))
          append_scores(missed[h][i]->runs(channel_class, pass).scores, keys, number, kernel);
        append_context(selected[h][i]->runs(channel_class, pass), values, number++, chunks_later,
                       kernel);
      }
    }
    return kernel;
  });
}

std::vector<DomainKernel> ListKernels::summaries(int layer, const SequenceList& sequences,
                                                 const std::vector<QueryGroup>& queries,
                                                 int tensors) const {
  constexpr std::array kTensors = {KvTensor::kKey, KvTensor::kValue};
  std::vector<DomainKernel> work;
  for (int c = 0; c < plan_.map.classes(); ++c) {
    PimKernel kernel;
    std::int32_t number = 0;
    for (const auto* sequence : sequences) {
      if (!sequence->has_tokens(c)) continue;
      for (int t = 0; t < tensors; ++t) {
        const auto tensor = kTensors[static_cast<std::size_t>(t)];
        const auto& stripes = sequence->stripes(c, tensor);
        for (const auto& group : queries) {
          const auto runs = pass_runs(plan_.map, 0, group, stripes, stripes, 0);
          append_scores(runs.scores, pools_.first_row(layer, tensor), number++, kernel);
        }
      }
    }
    if (kernel.empty()) continue;
    const auto shared = std::make_shared<const PimKernel>(std::move(kernel));
    for (const auto& domain : plan_.map.domains(c)) work.push_back({domain.domain, shared, {}});
  }
  return work;
}

template <typename Make>
std::vector<DomainKernel> ListKernels::add_data(std::vector<DomainKernel> kernels,
                                                const ListData& data, const Make& make) const {
  for (auto& kernel : kernels) {
    for (int c = 0; c < plan_.map.classes(); ++c) {
      for (const auto& domain : plan_.map.domains(c)) {
        if (domain.domain != kernel.domain) continue;
        kernel.data = std::make_shared<const KernelData>(
            make(DomainPasses{data.queries_per_column, c, domain, data.numbers},
                 static_cast<std::size_t>(plan_.map.head(domain, 0))));
      }
    }
  }
  return kernels;
}

std::vector<DomainKernel> ListKernels::with_data(std::vector<DomainKernel> kernels,
                                                 const HeadPassLists& lists,
                                                 const ListData& data) const {
  return add_data(std::move(kernels), data, [&](const DomainPasses& at, std::size_t head) {
    return domain_data(plan_, at, lists[head], data.queries);
  });
}

std::vector<DomainKernel> ListKernels::scores_with_data(std::vector<DomainKernel> kernels,
                                                        const HeadPassLists& lists,
                                                        const ListData& data) const {
  return add_data(std::move(kernels), data, [&](const DomainPasses& at, std::size_t head) {
    KernelData passes;
    for (std::size_t i = 0; i < lists[head].size(); ++i) {
      const auto* sequence = lists[head][i];
      if (!sequence->has_tokens(at.channel_class)) continue;
      append_passes(plan_, at, i, data.queries[i], scored_tokens(*sequence, at.channel_class),
                    passes);
    }
    return passes;
  });
}

std::vector<DomainKernel> ListKernels::rest_with_data(std::vector<DomainKernel> kernels,
                                                      const HeadPassLists& scored,
                                                      const HeadPassLists& missed,
                                                      const HeadPassLists& selected,
                                                      const ListData& data) const {
  return add_data(std::move(kernels), data, [&](const DomainPasses& at, std::size_t head) {
    KernelData passes;
    for (std::size_t i = 0; i < selected[head].size(); ++i) {
      if (!selected[head][i]->has_tokens(at.channel_class)) continue;
      const auto tokens = remaining_tokens(*scored[head][i], *missed[head][i], *selected[head][i],
                                           at.channel_class);
      append_passes(plan_, at, i, data.queries[i], tokens, passes);
    }
    return passes;
  });
}

}  // namespace lockstep
