// Random operations for a bank unit, one step a clock. Operands come in classes, so that
// subnormals, cancellation, infinities and NaN all meet the adders often.
#pragma once

#include <cstdint>
#include <random>

#include "tlm/contract/mac_unit.h"

namespace lockstep {

enum class MacMix : std::uint8_t {
  kDot,   // DOT, clears and drains of scores
  kAxpy,  // AXPY, loads of scalars, clears and drains of lanes
  kAll,   // both, with resets
};

struct MacStep {
  bool resets = false;  // reset is held during this clock; nothing else happens
  bool issues = false;
  bool drains = false;
  MacIssue issue;
  MacDrain drain;
};

class MacStimulus {
 public:
  MacStimulus(const MacParameters& parameters, MacMix mix, std::uint64_t seed);

  // The next clock. Tags count the issues and wrap. Good until the next call.
  const MacStep& next();

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  MacOp choose_op();
  std::uint16_t choose_index(MacOp op);
  std::uint16_t skewed(int count);
  void choose_operands(MacIssue& issue);
  std::uint16_t half(std::uint64_t operand_class);

  MacParameters parameters_;
  MacMix mix_;
  std::mt19937_64 random_;
  std::uint16_t tag_ = 0;
  std::uint64_t quiet_ = 0;  // clocks without an issue that are left
  MacStep step_;
};

}  // namespace lockstep
