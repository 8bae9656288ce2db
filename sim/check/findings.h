// What a check has found: breaches of rules, the first of them with all there is to say.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/check/rules.h"
#include "sim/check/trace_command.h"

namespace lockstep {

// When something happened that later commands have to keep a distance to.
struct Stamp {
  static constexpr std::int64_t kNever = INT64_MIN / 4;
  std::int64_t cycle = kNever;
  std::int64_t line = 0;
  std::int64_t delay = 0;  // from the command to what the distance counts from
  Op op = Op::kAct;
};

struct Violation {
  std::int64_t line = 0;
  Rule rule = Rule::kOrder;
  // Clocks from the earlier command; both 0 for rules that are no distances.
  std::int64_t needed = 0;
  std::int64_t found = 0;
  std::int64_t earlier_line = 0;  // 0 if there is none
  std::string text;  // `rule nRCDRD: MACab needs 19 CK after ACTab (line 12), found 17`
};

class Findings {
 public:
  // Opens the report of one command; at most one violation of each rule is kept, the worst.
  void begin(const CheckedCommand& command) { command_ = command; }
  // The command at hand must come `clocks` after the stamp's command (and its delay) or later.
  void keep(Rule rule, std::int64_t clocks, const Stamp& since) {
    if (command_.cycle - since.cycle < clocks + since.delay) breach(rule, clocks, since);
  }
  // Something other than a distance is wrong; `what` follows the rule's name.
  void breach(Rule rule, const std::string& what, std::int64_t earlier_line = 0);
  bool any_now() const { return !now_.empty(); }
  void end();

  std::int64_t count() const { return count_; }
  const std::array<std::int64_t, kRuleCount>& by_rule() const { return by_rule_; }
  const std::vector<Violation>& listed() const { return listed_; }

 private:
  static constexpr std::size_t kMaxListed = 1000;
  void breach(Rule rule, std::int64_t clocks, const Stamp& since);

  struct Found {
    Violation violation;  // its text only if the rule is no distance
    Op earlier = Op::kAct;
  };
  Found* known(Rule rule);

  CheckedCommand command_;
  std::vector<Found> now_;  // of the command at hand
  std::int64_t count_ = 0;
  std::array<std::int64_t, kRuleCount> by_rule_{};
  std::vector<Violation> listed_;
};

}  // namespace lockstep
