// The golden MAC unit: an operation computes when it is issued, and shows its result when the
// pipeline would. rtl/bank_mac.sv is equal to it at every clock (docs/rtl.md).
#pragma once

#include <vector>

#include "tlm/contract/mac_unit.h"

namespace lockstep {

class MacModel final : public MacUnit {
 public:
  // Throws InternalError as check() does.
  explicit MacModel(const MacParameters& parameters);

  const MacParameters& parameters() const override { return parameters_; }
  void reset() override;
  const MacOutputs& clock(const MacIssue* issue, const MacDrain* drain) override;
  std::string pipeline() const override;
  LaneWords execute(const MacIssue& issue) override;
  DrainBurst read(const MacDrain& drain) override;

 private:
  struct Beat {
    bool valid = false;
    MacOp op = MacOp::kDot;
    std::uint16_t tag = 0;
    LaneWords data{};
  };

  void compute(const MacIssue& issue, LaneWords& data);

  MacParameters parameters_;
  std::vector<std::uint32_t> scores_;   // fp32 bits
  std::vector<LaneWords> lane_sets_;    // fp32 bits
  std::vector<std::uint16_t> scalars_;  // fp16 bits
  std::vector<Beat> beats_;             // a ring of `depth` clocks
  std::size_t newest_ = 0;
  int in_flight_ = 0;
  MacOutputs outputs_;
};

}  // namespace lockstep
