#include "firmware/attention/step_kernel.h"

namespace lockstep {
namespace {

// Gives runs their place in the stack and in the kernel.
void append(const PimKernel& runs, std::int32_t first_row, std::int32_t pass, PimKernel& kernel) {
  for (PimRun run : runs) {
    run.pass = pass;
    if (run.op == PimOp::kMacAb) run.row += first_row;
    kernel.push_back(run);
  }
}

}  // namespace

PimKernel step_kernel(const PassPlan& plan, const KvPools& pools, int layer, Pipeline pipeline,
                      int channel_class, const SequenceList& sequences) {
  std::vector<const PassRuns*> passes;
  std::size_t runs = 0;
  for (const auto* sequence : sequences) {
    if (!sequence->has_tokens(channel_class)) continue;
    for (int pass = 0; pass < plan.passes(); ++pass) {
      passes.push_back(&sequence->runs(channel_class, pass));
      runs += passes.back()->scores.size() + passes.back()->context.size();
    }
  }
  PimKernel kernel;
  kernel.reserve(runs);
  const auto keys = pools.first_row(layer, KvTensor::kKey);
  const auto values = pools.first_row(layer, KvTensor::kValue);
  const std::size_t ahead = pipeline == Pipeline::kPingPong ? 1 : 0;
  for (std::size_t i = 0; i < passes.size() + ahead; ++i) {
    if (i < passes.size()) {
      append(passes[i]->scores, keys, static_cast<std::int32_t>(i), kernel);
    }
    if (i < ahead) continue;
    append(passes[i - ahead]->context, values, static_cast<std::int32_t>(i - ahead), kernel);
  }
  return kernel;
}

std::vector<DomainKernel> step_kernels(const PassPlan& plan, const KvPools& pools, int layer,
                                       Pipeline pipeline, const SequenceList& sequences) {
  std::vector<DomainKernel> work;
  for (int c = 0; c < plan.map.classes(); ++c) {
    auto kernel =
        std::make_shared<const PimKernel>(step_kernel(plan, pools, layer, pipeline, c, sequences));
    if (kernel->empty()) continue;
    for (const auto& domain : plan.map.domains(c)) work.push_back({domain.domain, kernel, {}});
  }
  return work;
}

}  // namespace lockstep
