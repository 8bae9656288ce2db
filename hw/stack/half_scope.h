// Kernels for stacks whose banks work in two halves: every all-bank MAC run becomes one for each
// half, the halves taking turns row by row, so that one activates while the other computes.
#pragma once

#include <memory>

#include "hw/stack/stack_config.h"
#include "tlm/contract/attention_pass.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/pim_isa.h"

namespace lockstep {

class HalfScope {
 public:
  explicit HalfScope(const StackConfig& config)
      : halves_(config.halves()), groups_(config.controller.topology.bank_groups) {}

  // The kernel as the controllers of this stack run it. One with data of passes names the halves
  // itself and is left as it is. Equal kernels give the same object while they come one after
  // another, so that equal channels still share their work.
  std::shared_ptr<const PimKernel> adapt(const std::shared_ptr<const PimKernel>& kernel,
                                         const std::shared_ptr<const KernelData>& data) {
    if (halves_ == 1 || data != nullptr) return kernel;
    if (kernel != source_) {
      source_ = kernel;
      adapted_ = split(*kernel);
    }
    return adapted_;
  }

 private:
  // Bank groups of a kernel count over the whole SID, those of the controllers over a half.
  std::shared_ptr<const PimKernel> split(const PimKernel& kernel) const {
    auto result = std::make_shared<PimKernel>();
    for (PimRun run : kernel) {
      const bool in_both = run.op == PimOp::kMacAb || run.op == PimOp::kMacSb || run.spread > 1;
      if (run.spread > 1) {
        ensure(run.spread % halves_ == 0 && run.bank_group == 0 && run.columns % halves_ == 0,
               "transfers go round some banks of a half");
        run.spread = static_cast<std::uint8_t>(run.spread / halves_);
        run.columns /= halves_;
      } else if (!in_both) {
        run.stack_id = static_cast<std::uint8_t>(run.bank_group / groups_);
      }
      run.bank_group = static_cast<std::uint8_t>(run.bank_group % groups_);
      result->push_back(run);
      if (!in_both) continue;
      run.stack_id = 1;
      result->push_back(run);
    }
    return result;
  }

  int halves_;
  int groups_;  // of a half
  std::shared_ptr<const PimKernel> source_;
  std::shared_ptr<const PimKernel> adapted_;
};

}  // namespace lockstep
