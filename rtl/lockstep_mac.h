// Two bank units side by side, normally the golden model and the RTL, compared at every clock.
#pragma once

#include <cstdint>
#include <memory>

#include "tlm/contract/mac_unit.h"

namespace lockstep {

// The two units differ. what() says at which clock, in what, and what both hold (docs/rtl.md).
struct LockstepMismatch : MacUnitFault {
  using MacUnitFault::MacUnitFault;
};

class LockstepMac final : public MacUnit {
 public:
  // Both have the same parameters; else InternalError. Results are the reference's.
  LockstepMac(std::unique_ptr<MacUnit> reference, std::unique_ptr<MacUnit> device);

  const MacParameters& parameters() const override { return reference_->parameters(); }
  void reset() override;
  // Throws LockstepMismatch at the first clock at which valid, tag, data or busy differ.
  const MacOutputs& clock(const MacIssue* issue, const MacDrain* drain) override;
  std::string pipeline() const override;

  std::int64_t clocks() const { return clocks_; }
  // Ports compared: the two valid bits and busy in every clock, tag and data of each result, each
  // drained burst.
  std::int64_t comparisons() const { return comparisons_; }

 private:
  // Operations whose results have not been compared yet, to name the operands of one that differs.
  struct Pending {
    std::int64_t clock = 0;
    MacIssue issue;
  };

  std::string report(const std::string& difference, const MacOutputs& want,
                     const MacOutputs& got) const;

  std::unique_ptr<MacUnit> reference_;
  std::unique_ptr<MacUnit> device_;
  std::array<Pending, 8> pending_{};  // more than the pipeline is deep; a ring
  std::size_t issued_ = 0;
  std::size_t compared_ = 0;
  std::int64_t clocks_ = 0;
  std::int64_t comparisons_ = 0;
};

}  // namespace lockstep
