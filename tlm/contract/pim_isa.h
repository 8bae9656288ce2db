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

// What an MVSB takes from a bank unit (tlm/contract/mac_unit.h, MacDrain).
enum class DrainFrom : std::uint8_t { kScores, kLanes };
// What a MAC command has every bank unit do with its column.
enum class MacWork : std::uint8_t { kDot, kAxpy };

// Equal operations in a row.
// - MAC: `columns` columns of one row from `column` on, each accessed `repeats` times, once per
// group
//   of queries. Command i works on column `column + k`, k = i / repeats, for the i % repeats-th
//   group of queries from `first_query` on. Column k holds part (part + k) % parts of the token in
//   slot `slot + (part + k) / parts` of every bank.
// - moves: `columns` transfers of 32 B. Transfer i concerns the bank that is the (i % spread)-th
// from
//   the given one on, bank groups first, and burst `first_burst + i / spread` of it: for WRGB the
//   operand of that index of PassData; for MVGB the 16 scalars of query
//   `first_query + burst`; for MVSB the burst of MacDrain.
// - SFM: one command over `elements` scores.
// Bank coordinates are those of the domain the kernel is sent to; operations of a wider scope
// ignore the ones they do not need. `pass` and `chunk` refer to the kernel's PassData.
struct PimRun {
  PimOp op = PimOp::kMacAb;
  MacWork work = MacWork::kDot;
  DrainFrom drain = DrainFrom::kScores;
  std::uint8_t pseudo_channel = 0;  // in its domain
  std::uint8_t stack_id = 0;
  std::uint8_t bank_group = 0;
  std::uint8_t bank = 0;
  std::uint8_t spread = 1;
  std::uint8_t first_query = 0;
  std::uint8_t part = 0;
  std::uint8_t parts = 1;
  std::uint8_t slot = 0;
  std::int16_t chunk = 0;
  std::int16_t first_burst = 0;
  std::int32_t pass = 0;
  std::int32_t row = 0;
  std::int32_t column = 0;
  std::int32_t columns = 1;
  std::int32_t repeats = 1;
  std::int32_t elements = 0;

  std::int64_t commands() const { return static_cast<std::int64_t>(columns) * repeats; }
};

// What one lockstep domain has to do, in order.
using PimKernel = std::vector<PimRun>;

}  // namespace lockstep
