// The PIM operations a host may ask of a lockstep domain, and the run-length kernel made of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep {

enum class PimOp : std::uint8_t { kMacAb, kMacSb, kWrGb, kMvSb, kMvGb, kSfm, kBarrier };
constexpr std::size_t kPimOpCount = 7;

struct PimOpTraits {
  PimOp op;
  std::string_view name;    // in request streams
  std::string_view effect;  // quoted by docs/model.md
};

constexpr std::array<PimOpTraits, kPimOpCount> kPimOps = {{
    // clang-format off
    {PimOp::kMacAb,   "PIM_MAC_AB",  "every bank of the lockstep scope works on one column of its open row"},
    {PimOp::kMacSb,   "PIM_MAC_SB",  "one bank of every bank group works on one column of its open row"},
    {PimOp::kWrGb,    "PIM_WR_GB",   "32 B from the host to the channel's global buffer"},
    {PimOp::kMvSb,    "PIM_MV_SB",   "32 B of a bank's results to the buffer die"},
    {PimOp::kMvGb,    "PIM_MV_GB",   "32 B from the buffer die to a bank's scalar buffer"},
    {PimOp::kSfm,     "PIM_SFM",     "softmax of the drained scores on the buffer die"},
    {PimOp::kBarrier, "PIM_BARRIER", "what follows waits until all before it has completed"},
    // clang-format on
}};

constexpr const PimOpTraits& traits(PimOp op) {
  return kPimOps[static_cast<std::size_t>(op)];
}

constexpr bool pim_rows_match_enumerators() {
  for (std::size_t i = 0; i < kPimOpCount; ++i) {
    if (kPimOps[i].op != static_cast<PimOp>(i)) return false;
  }
  return true;
}
static_assert(pim_rows_match_enumerators(), "kPimOps lists every PimOp, in enumerator order");

// `columns` columns of one row from `column` on, each accessed `repeats` times in a row (once per
// group of queries); for moves, `columns` transfers. Bank coordinates are those of the lockstep
// domain the kernel is sent to; operations of a wider scope ignore the ones they do not need.
struct PimRun {
  PimOp op = PimOp::kMacAb;
  std::uint8_t pseudo_channel = 0;  // in its domain
  std::uint8_t stack_id = 0;
  std::uint8_t bank_group = 0;
  std::uint8_t bank = 0;
  std::int32_t row = 0;
  std::int32_t column = 0;
  std::int32_t columns = 1;
  std::int32_t repeats = 1;

  std::int64_t commands() const { return static_cast<std::int64_t>(columns) * repeats; }
};

// What one lockstep domain has to do, in order.
using PimKernel = std::vector<PimRun>;

}  // namespace lockstep
