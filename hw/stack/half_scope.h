// Kernels for stacks whose banks work in two halves: every all-bank MAC run becomes one for each
// half, the halves taking turns row by row, so that one activates while the other computes.
#pragma once

#include <memory>

#include "hw/stack/stack_config.h"
#include "tlm/contract/attention_pass.h"
#include "tlm/contract/pim_isa.h"

namespace lockstep {

class HalfScope {
 public:
  explicit HalfScope(const StackConfig& config) : halves_(config.halves()) {}

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
  static std::shared_ptr<const PimKernel> split(const PimKernel& kernel) {
    auto result = std::make_shared<PimKernel>();
    for (PimRun run : kernel) {
      result->push_back(run);
      if (run.op != PimOp::kMacAb) continue;
      run.stack_id = 1;
      result->push_back(run);
    }
    return result;
  }

  int halves_;
  std::shared_ptr<const PimKernel> source_;
  std::shared_ptr<const PimKernel> adapted_;
};

}  // namespace lockstep
