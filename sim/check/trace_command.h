// The commands as the checker understands them. A table of its own, on purpose: the checker shares
// no rule and no state with the hardware model it checks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

enum class Op : std::uint8_t {
  // clang-format off
  kAct, kActSb, kActAb, kPrePb, kPreSb, kPreAb, kRefAb, kRefPb,
  kRd, kRda, kWr, kWra, kMacAb, kMacSb, kWrGb, kMvSb, kMvGb, kSfm,
  // clang-format on
};
constexpr std::size_t kOpCount = 18;

// What a command does; the rules of one deed are one function of the checker.
enum class Deed : std::uint8_t {
  // clang-format off
  kActivate, kPrecharge, kRefresh, kRead, kWrite, kMac, kMove, kSoftmax,
  // clang-format on
};
// The banks a command works on.
enum class Reach : std::uint8_t { kBank, kSameBank, kLockstep, kPseudoChannel, kNone };

struct OpTraits {
  Op op;
  std::string_view name;
  Deed deed;
  Reach reach;
};

constexpr std::array<OpTraits, kOpCount> kOps = {{
    // clang-format off
    {Op::kAct,   "ACT",   Deed::kActivate,  Reach::kBank},
    {Op::kActSb, "ACTsb", Deed::kActivate,  Reach::kSameBank},
    {Op::kActAb, "ACTab", Deed::kActivate,  Reach::kLockstep},
    {Op::kPrePb, "PREpb", Deed::kPrecharge, Reach::kBank},
    {Op::kPreSb, "PREsb", Deed::kPrecharge, Reach::kSameBank},
    {Op::kPreAb, "PREab", Deed::kPrecharge, Reach::kLockstep},
    {Op::kRefAb, "REFab", Deed::kRefresh,   Reach::kPseudoChannel},
    {Op::kRefPb, "REFpb", Deed::kRefresh,   Reach::kBank},
    {Op::kRd,    "RD",    Deed::kRead,      Reach::kBank},
    {Op::kRda,   "RDA",   Deed::kRead,      Reach::kBank},
    {Op::kWr,    "WR",    Deed::kWrite,     Reach::kBank},
    {Op::kWra,   "WRA",   Deed::kWrite,     Reach::kBank},
    {Op::kMacAb, "MACab", Deed::kMac,       Reach::kLockstep},
    {Op::kMacSb, "MACsb", Deed::kMac,       Reach::kSameBank},
    {Op::kWrGb,  "WRGB",  Deed::kMove,      Reach::kNone},
    {Op::kMvSb,  "MVSB",  Deed::kMove,      Reach::kNone},
    {Op::kMvGb,  "MVGB",  Deed::kMove,      Reach::kNone},
    {Op::kSfm,   "SFM",   Deed::kSoftmax,   Reach::kNone},
    // clang-format on
}};

constexpr const OpTraits& traits(Op op) {
  return kOps[static_cast<std::size_t>(op)];
}
constexpr bool op_rows_match_enumerators() {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    if (kOps[i].op != static_cast<Op>(i)) return false;
  }
  return true;
}
static_assert(op_rows_match_enumerators(), "kOps lists every Op, in enumerator order");

constexpr bool uses_row_bus(Op op) {
  const Deed deed = traits(op).deed;
  return deed == Deed::kActivate || deed == Deed::kPrecharge || deed == Deed::kRefresh;
}

// One command of the trace in the coordinates of its lockstep domain. A coordinate that the command
// has not is -1.
struct CheckedCommand {
  std::int64_t line = 0;
  std::int64_t cycle = 0;
  Op op = Op::kAct;
  enum class Side : std::uint8_t { kHost, kPim, kOther } side = Side::kOther;
  int pseudo_channel = 0;  // in the domain
  int stack_id = 0;
  int bank_group = -1;
  int bank = -1;
  std::int32_t row = -1;
};

}  // namespace lockstep
