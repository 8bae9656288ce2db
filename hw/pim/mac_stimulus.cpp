#include "hw/pim/mac_stimulus.h"

namespace lockstep {
namespace {

// What the lanes of one operation have in common.
enum OperandClass : std::uint64_t {
  kAnyBits,
  kNearOne,
  kSubnormal,
  kSpecial,
  kSmall,
  kCancelling,
  kLarge,
  kInfinite,
  kAnyFinite,  // and every class above it
  kOperandClasses = 10,
};

constexpr std::uint16_t kSpecials[] = {0x7C00, 0xFC00, 0x7E00, 0xFD01, 0x0000, 0x8000, 0x7BFF,
                                       0xFBFF, 0x0001, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00};

constexpr std::uint16_t with_exponent(std::uint64_t bits, std::uint64_t exponent) {
  return static_cast<std::uint16_t>((bits & 0x83FF) | (exponent << 10));
}

}  // namespace

MacStimulus::MacStimulus(const MacParameters& parameters, MacMix mix, std::uint64_t seed)
    : parameters_(parameters), mix_(mix), random_(seed) {
  check(parameters);
}

const MacStep& MacStimulus::next() {
  step_.resets = mix_ == MacMix::kAll && below(512) == 0;
  // One clock in eight begins a pause of up to eight clocks, in which drains may succeed.
  if (quiet_ == 0 && below(8) == 0) quiet_ = 1 + below(8);
  step_.issues = !step_.resets && quiet_ == 0;
  step_.drains = !step_.resets && (quiet_ > 0 ? below(2) == 0 : below(8) == 0);
  if (quiet_ > 0) --quiet_;
  if (step_.issues) {
    step_.issue.op = choose_op();
    step_.issue.tag = tag_++;
    step_.issue.index = choose_index(step_.issue.op);
    step_.issue.scalar = skewed(parameters_.scalars());
    choose_operands(step_.issue);
  }
  if (step_.drains) {
    const bool lanes = mix_ == MacMix::kAxpy || (mix_ == MacMix::kAll && below(2) == 0);
    const int words = lanes ? parameters_.lane_sets() * kMacLanes : parameters_.scores();
    step_.drain.bank = lanes ? MacBank::kLanes : MacBank::kScores;
    step_.drain.burst = skewed(words / kDrainWords);
  }
  return step_;
}

MacOp MacStimulus::choose_op() {
  const bool axpy = mix_ == MacMix::kAxpy || (mix_ == MacMix::kAll && below(2) == 0);
  if (below(64) == 0) return axpy ? MacOp::kClearLanes : MacOp::kClearScores;
  if (axpy && below(8) == 0) return MacOp::kLoadScalars;
  return axpy ? MacOp::kAxpy : MacOp::kDot;
}

std::uint16_t MacStimulus::choose_index(MacOp op) {
  if (op == MacOp::kLoadScalars) return skewed(parameters_.queries);
  return skewed(op == MacOp::kAxpy ? parameters_.lane_sets() : parameters_.scores());
}

// Half of the choices are one of the first four, so that most beats follow one to the same place.
std::uint16_t MacStimulus::skewed(int count) {
  const int bound = below(2) == 0 && count > 4 ? 4 : count;
  return static_cast<std::uint16_t>(below(static_cast<std::uint64_t>(bound)));
}

void MacStimulus::choose_operands(MacIssue& issue) {
  const std::uint64_t operand_class = below(kOperandClasses);
  for (int lane = 0; lane < kMacLanes; ++lane) {
    issue.column[lane] = half(operand_class);
    issue.operand[lane] = half(operand_class);
  }
  if (operand_class != kCancelling) return;
  // Lane 8 + i takes away what lane i gives, up to one unit in the last place.
  for (int lane = 0; lane < kMacLanes / 2; ++lane) {
    issue.column[lane + 8] = issue.column[lane];
    issue.operand[lane + 8] =
        static_cast<std::uint16_t>((issue.operand[lane] ^ 0x8000U) + (below(3) == 0 ? 1 : 0));
  }
}

std::uint16_t MacStimulus::half(std::uint64_t operand_class) {
  const std::uint64_t bits = random_();
  const std::uint64_t choice = bits >> 32;
  switch (operand_class) {
    case kAnyBits:
      return static_cast<std::uint16_t>(bits);
    case kNearOne:
      return with_exponent(bits, 12 + choice % 8);
    case kSubnormal:
      return with_exponent(bits, 0);
    case kSpecial:
      return (bits >> 24) % 8 == 0 ? kSpecials[choice % std::size(kSpecials)]
                                   : with_exponent(bits, 15);
    case kSmall:
      return with_exponent(bits, (bits >> 24) % 4 == 0 ? 0 : 1 + choice % 4);
    case kInfinite:  // alone, of either sign, and never times zero
      return (bits >> 24) % 16 == 0 ? static_cast<std::uint16_t>((bits & 0x8000) | 0x7C00)
                                    : with_exponent(bits, 15);
    case kLarge:
      return with_exponent(bits, 27 + choice % 4);
    default:
      return with_exponent(bits, 1 + choice % 30);
  }
}

}  // namespace lockstep
