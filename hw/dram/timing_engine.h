// Tells when a command may issue. Knows constraint tables, and nothing about any one of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/dram/hbm3_constraints.h"
#include "hw/dram/topology.h"
#include "tlm/contract/span.h"

namespace lockstep {

// Copies of an engine are snapshots: equal engines answer every question alike.
class TimingEngine {
 public:
  TimingEngine(const Topology& topology, const TimingSet& timing,
               Span<Constraint> constraints = kHbm3Constraints);

  // The first clock at which every constraint allows `cmd`, and the rule that is met last: an index
  // into the constraint table, or kNoRule if nothing has been issued that matters.
  struct Bound {
    Cycles when;
    int rule;
  };
  static constexpr int kNoRule = -1;
  Bound bound(Cmd cmd, BankAddress at) const {
    return traits(cmd).scope == Scope::kSameBank ? bound_of_groups(cmd, at) : bound_at(cmd, at);
  }
  // The clock of bound() for a command of one bank, by the bank's index; or, if that is later than
  // `limit`, any clock between the two. The bank's own delays tell most often.
  Cycles earliest_of_bank(Cmd cmd, int bank, Cycles limit) const {
    const Path& nodes = tables_->paths[static_cast<std::size_t>(bank)];
    const Slot* const slots = ready_.data() + static_cast<std::size_t>(cmd);
    std::int64_t latest = 0;
    for (std::size_t level = kLevelCount; level-- > 0;) {
      latest = std::max(latest, slots[nodes[level]].when);
      if (latest > limit.count) break;
    }
    return {latest};
  }
  Cycles earliest(Cmd cmd, BankAddress at) const { return bound(cmd, at).when; }

  // Records `cmd` at `now`. Requires earliest(cmd, at) <= now.
  void issue(Cmd cmd, BankAddress at, Cycles now);

  const Topology& topology() const { return topology_; }
  friend bool operator==(const TimingEngine& a, const TimingEngine& b);

 private:
  struct Slot {
    std::int64_t when = 0;
    std::int64_t rule = kNoRule;
  };
  // One consequence of issuing a command: `after` waits `latency` at the node of `level` above the
  // issued bank; under kOther, at every other node of that level in the pseudo channel.
  struct Post {
    Level level;
    Cmd after;
    Relation relation;
    std::int16_t rule;
    std::int64_t latency;
  };
  // A row with a window keeps its last issue times per node of its level, oldest first.
  struct WindowRow {
    int rule;
    Level level;
    std::int64_t latency;
    int window;
    CmdSet after;
    int first_time;  // index of node 0's times in times_
  };
  // First slots of the nodes above a bank, from the domain down to the bank itself.
  using Path = std::array<std::int32_t, kLevelCount>;

  struct Tables {
    std::array<std::vector<Post>, kCmdCount> posts;
    std::array<std::vector<WindowRow>, kCmdCount> windows;
    std::vector<Path> paths;                   // by bank
    std::array<int, kLevelCount> banks_below;  // a node of each level
    std::array<Level, kCmdCount> deepest;      // level at which a command looks last
  };

  void add(const Constraint& row, int rule, const TimingSet& timing, Tables& tables);
  static void drop_implied(std::vector<Post>& posts);
  // The path of the first bank below the node of `level` at `at`; coordinates below do not matter.
  const Path& path(Level level, BankAddress at) const {
    const auto first =
        topology_.index(level, at) * tables_->banks_below[static_cast<std::size_t>(level)];
    return tables_->paths[static_cast<std::size_t>(first)];
  }
  // Of the nodes from the domain down to the command's own level.
  Bound bound_at(Cmd cmd, BankAddress at) const {
    const Level deepest = tables_->deepest[static_cast<std::size_t>(cmd)];
    const Path& nodes = path(deepest, at);
    const Slot* const slots = ready_.data() + static_cast<std::size_t>(cmd);
    Bound latest{{0}, kNoRule};
    for (std::size_t level = 0; level <= static_cast<std::size_t>(deepest); ++level) {
      const Slot& slot = slots[nodes[level]];
      if (slot.when > latest.when.count) latest = {{slot.when}, static_cast<int>(slot.rule)};
    }
    return latest;
  }
  Bound bound_of_groups(Cmd cmd, BankAddress at) const;
  void post(const Post& post, const Path& path, BankAddress at, std::int64_t now);
  void raise(int first_slot, Cmd after, std::int64_t when, int rule);
  void note_window(const WindowRow& row, Cmd cmd, BankAddress at, std::int64_t now);

  Topology topology_;
  std::shared_ptr<const Tables> tables_;  // shared by all copies
  // What changes as commands issue: ready_[node * kCmdCount + cmd], and the times of window rows.
  std::vector<Slot> ready_;
  std::vector<std::int64_t> times_;
};

}  // namespace lockstep
