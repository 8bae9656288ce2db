// The bank MAC unit as RTL: rtl/bank_mac.sv, Verilated, one call a clock. No Verilator header
// leaks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tlm/contract/mac_unit.h"

namespace lockstep {

// A waveform of clocks first .. last of the unit; a clock is 2 time steps of the file.
struct MacWaves {
  std::string file;
  std::int64_t first_clock = 0;
  std::int64_t last_clock = INT64_MAX;
};

class VerilatedMac final : public MacUnit {
 public:
  // Built for 8 queries and 16 lane sets, of which `parameters` may use fewer. Throws InternalError
  // as check() does.
  explicit VerilatedMac(const MacParameters& parameters);

  // With a waveform. Throws Unsupported if this build has none of the format that the file's name
  // ends in (.vcd or .fst), InputError if the file cannot be written.
  VerilatedMac(const MacParameters& parameters, const MacWaves& waves);

  ~VerilatedMac() override;
  VerilatedMac(const VerilatedMac&) = delete;
  VerilatedMac& operator=(const VerilatedMac&) = delete;

  const MacParameters& parameters() const override { return parameters_; }
  void reset() override;
  const MacOutputs& clock(const MacIssue* issue, const MacDrain* drain) override;
  std::string pipeline() const override;

 private:
  class Dut;
  template <typename Model, typename Root>
  class DutOf;

  MacParameters parameters_;
  std::unique_ptr<Dut> dut_;
  int quiet_clocks_ = 0;
  MacOutputs outputs_;
};

}  // namespace lockstep
