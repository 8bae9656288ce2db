// The bank MAC unit as its users see it: one call a clock. hw/pim/mac_model.h and
// rtl/verilated_mac.h implement it, rtl/lockstep_mac.h compares two of them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tlm/contract/errors.h"
#include "tlm/contract/mac_arithmetic.h"
#include "tlm/contract/mac_timing.h"

namespace lockstep {

inline constexpr int kMacTokens = 16;  // scores and scalars of a query: one burst of fp16
inline constexpr int kDrainWords = 8;  // fp32 words of a 32 B drain burst

// The codes are those of rtl/bank_mac_pkg.sv.
enum class MacOp : std::uint8_t {
  kDot = 0,          // scores[index] += column . operand
  kAxpy = 1,         // lane set[index] += scalars[scalar] x column
  kLoadScalars = 2,  // scalars of query `index` = column
  kClearScores = 3,  // all scores = +0
  kClearLanes = 4,   // all lane sets = +0
};
inline constexpr int kMacOps = 5;
const char* name(MacOp op);

struct MacParameters {
  int queries = 4;       // of a GQA group, 1..8
  int column_parts = 2;  // columns of a token: lane accumulator sets of a query, 1..16
  int depth = 6;         // a row of kMacTimings

  constexpr int scores() const { return queries * kMacTokens; }
  constexpr int scalars() const { return queries * kMacTokens; }
  constexpr int lane_sets() const { return queries * column_parts; }
  constexpr int score_index(int query, int token) const { return query * kMacTokens + token; }
  constexpr int scalar_index(int query, int token) const { return query * kMacTokens + token; }
  constexpr int lane_set_index(int query, int part) const { return query * column_parts + part; }
};
inline constexpr int kMaxMacQueries = 8;
inline constexpr int kMaxMacLaneSets = 16;

// Throws InternalError unless the parameters are in the ranges above, with at most 16 lane sets:
// what was read from a user must have been checked before.
void check(const MacParameters& parameters);

struct MacIssue {
  MacOp op = MacOp::kDot;
  std::uint16_t tag = 0;     // comes back with the result
  std::uint16_t index = 0;   // score, lane set or query, by operation
  std::uint16_t scalar = 0;  // of an AXPY
  Column column{};
  Column operand{};  // of a DOT: the query slice
};

enum class MacBank : std::uint8_t { kScores, kLanes };

// A burst of eight words: scores 8 b .. 8 b + 7, or half b % 2 of lane set b / 2.
struct MacDrain {
  MacBank bank = MacBank::kScores;
  std::uint16_t burst = 0;
};

// Throw InternalError if the unit has no such accumulator, scalar, query or burst.
void check(const MacIssue& issue, const MacParameters& parameters);
void check(const MacDrain& drain, const MacParameters& parameters);

using DrainBurst = std::array<std::uint32_t, kDrainWords>;  // fp32 bits

// Outputs after a clock. `tag` and the data mean something only while their `valid` is set.
struct MacOutputs {
  bool result_valid = false;
  bool drained_valid = false;
  bool busy = false;  // a beat is on its way: a drain in the next clock would be refused
  std::uint16_t tag = 0;
  LaneWords data{};  // DOT: its score, then zeros; AXPY: its 16 lanes; else zeros
  DrainBurst drained{};
};

// A unit contradicts its contract: an assertion of its RTL, or another unit in lockstep.
struct MacUnitFault : InternalError {
  using InternalError::InternalError;
};

class MacUnit {
 public:
  virtual ~MacUnit() = default;

  virtual const MacParameters& parameters() const = 0;

  // Everything in flight is lost; accumulators and scalars are +0.
  virtual void reset() = 0;

  // One clock. `issue` and `drain` may be nullptr. A drain beside an issue, or while an earlier
  // beat is in flight, is refused: drained_valid stays false, and the caller may repeat it. What is
  // issued in clock n is returned by the call of clock n + issue_to_result - 1, so that it can be
  // used in clock n + issue_to_result. The reference is good until the next call. An index outside
  // the parameters throws InternalError.
  virtual const MacOutputs& clock(const MacIssue* issue, const MacDrain* drain) = 0;

  // What the pipeline holds, for a report: one line, oldest beat last.
  virtual std::string pipeline() const = 0;

  // Untimed: runs one operation to its end and returns its result data. Nothing may be in flight.
  virtual LaneWords execute(const MacIssue& issue);

  // Untimed: reads one burst. Nothing may be in flight.
  virtual DrainBurst read(const MacDrain& drain);
};

}  // namespace lockstep
