#include "hw/dram/timing_engine.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::int64_t kLongAgo = INT64_MIN / 4;  // no window reaches back to it

}  // namespace

TimingEngine::TimingEngine(const Topology& topology, const TimingSet& timing,
                           Span<Constraint> constraints)
    : topology_(topology), ready_(static_cast<std::size_t>(topology.node_count()) * kCmdCount) {
  auto tables = std::make_shared<Tables>();
  const int banks = topology_.count(Level::kBank);
  for (int bank = 0; bank < banks; ++bank) {
    Path& path = tables->paths.emplace_back();
    for (std::size_t level = 0; level < kLevelCount; ++level) {
      path[level] = topology_.node(static_cast<Level>(level), topology_.address(bank)) *
                    static_cast<int>(kCmdCount);
    }
  }
  for (std::size_t level = 0; level < kLevelCount; ++level) {
    tables->banks_below[level] = banks / topology_.count(static_cast<Level>(level));
  }
  for (const auto& command : kCommands) {
    tables->deepest[static_cast<std::size_t>(command.cmd)] = topology_.level_of(command.scope);
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    add(constraints[i], static_cast<int>(i), timing, *tables);
  }
  for (auto& posts : tables->posts) drop_implied(posts);
  tables_ = std::move(tables);
}

// A consequence is kept at the highest of three levels: the row's own, that of the command before
// (an all-bank command concerns every node below it) and that of the command after (which looks no
// further down than its own). So one look at five nodes answers for any command.
void TimingEngine::add(const Constraint& row, int rule, const TimingSet& timing, Tables& tables) {
  const Cycles latency = row.latency(timing);
  if (latency <= Cycles{0}) return;
  // Both halves of a SID are inside it: what holds between SIDs does not hold between them, and
  // what holds in a SID holds in both (halves have one SID, so that is the pseudo channel).
  const bool sid_of_halves = row.level == Level::kSid && topology_.halves > 1 && !row.of_half;
  if (sid_of_halves && row.relation == Relation::kOther) return;
  const Level level = sid_of_halves ? Level::kPseudoChannel : row.level;
  for (const auto& before : kCommands) {
    if (!row.before.contains(before.cmd)) continue;
    if (row.window > 1) {
      tables.windows[static_cast<std::size_t>(before.cmd)].push_back(
          {rule, level, latency.count, row.window, row.after, static_cast<int>(times_.size())});
      times_.resize(times_.size() + static_cast<std::size_t>(row.window) *
                                        static_cast<std::size_t>(topology_.count(level)),
                    kLongAgo);
      continue;
    }
    for (const auto& after : kCommands) {
      if (!row.after.contains(after.cmd)) continue;
      const Level common =
          std::min(topology_.level_of(before.scope), topology_.level_of(after.scope));
      const bool within = row.relation == Relation::kOther && level <= common;
      if (row.relation == Relation::kOther && topology_.stack_ids < 2) continue;
      tables.posts[static_cast<std::size_t>(before.cmd)].push_back(
          {std::min(level, common), after.cmd, within ? Relation::kOther : Relation::kSame,
           static_cast<std::int16_t>(rule), latency.count});
    }
  }
}

// A consequence that another one implies, at the same or a higher node and for at least as long,
// never binds.
void TimingEngine::drop_implied(std::vector<Post>& posts) {
  std::vector<Post> kept;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    bool implied = false;
    for (std::size_t j = 0; j < posts.size() && !implied; ++j) {
      const Post& other = posts[j];
      if (j == i || other.after != posts[i].after || other.level > posts[i].level) continue;
      if (other.relation == Relation::kOther || posts[i].relation == Relation::kOther) continue;
      implied = other.latency > posts[i].latency ||
                (other.latency == posts[i].latency && (other.level < posts[i].level || j < i));
    }
    if (!implied) kept.push_back(posts[i]);
  }
  posts = std::move(kept);
}

TimingEngine::Bound TimingEngine::bound_of_groups(Cmd cmd, BankAddress at) const {
  Bound latest{{0}, kNoRule};
  for (at.bank_group = 0; at.bank_group < topology_.bank_groups; ++at.bank_group) {
    const Bound bound = bound_at(cmd, at);
    if (bound.when > latest.when) latest = bound;
  }
  return latest;
}

void TimingEngine::issue(Cmd cmd, BankAddress at, Cycles now) {
  ensure(earliest(cmd, at) <= now, "a command was issued before the timing table allows it");
  const auto index = static_cast<std::size_t>(cmd);
  for (const auto& row : tables_->windows[index]) note_window(row, cmd, at, now.count);
  const Path& nodes = path(tables_->deepest[index], at);
  const bool every_group = traits(cmd).scope == Scope::kSameBank;
  for (const auto& consequence : tables_->posts[index]) {
    if (!every_group || consequence.level < Level::kBankGroup) {
      post(consequence, nodes, at, now.count);
      continue;
    }
    BankAddress each = at;
    for (each.bank_group = 0; each.bank_group < topology_.bank_groups; ++each.bank_group) {
      post(consequence, path(Level::kBank, each), each, now.count);
    }
  }
}

void TimingEngine::post(const Post& post, const Path& path, BankAddress at, std::int64_t now) {
  if (post.relation == Relation::kSame) {
    raise(path[static_cast<std::size_t>(post.level)], post.after, now + post.latency, post.rule);
    return;
  }
  BankAddress other = at;
  for (other.stack_id = 0; other.stack_id < topology_.stack_ids; ++other.stack_id) {
    if (other.stack_id == at.stack_id) continue;
    const int node = topology_.node(Level::kSid, other);
    raise(node * static_cast<int>(kCmdCount), post.after, now + post.latency, post.rule);
  }
}

void TimingEngine::raise(int first_slot, Cmd after, std::int64_t when, int rule) {
  Slot& slot = ready_[static_cast<std::size_t>(first_slot) + static_cast<std::size_t>(after)];
  if (when > slot.when) slot = {when, rule};
}

void TimingEngine::note_window(const WindowRow& row, Cmd cmd, BankAddress at, std::int64_t now) {
  const Level level = std::min(row.level, topology_.level_of(traits(cmd).scope));
  ensure(level == row.level, "a window rule counts commands of a wider scope than its level");
  const auto first =
      static_cast<std::size_t>(row.first_time + topology_.index(level, at) * row.window);
  const auto times = times_.begin() + static_cast<std::ptrdiff_t>(first);
  std::rotate(times, times + 1, times + row.window);
  times[row.window - 1] = now;
  if (times[0] == kLongAgo) return;
  for (const auto& after : kCommands) {
    if (!row.after.contains(after.cmd)) continue;
    const Level seen = std::min(row.level, topology_.level_of(after.scope));
    raise(topology_.node(seen, at) * static_cast<int>(kCmdCount), after.cmd, times[0] + row.latency,
          row.rule);
  }
}

bool operator==(const TimingEngine& a, const TimingEngine& b) {
  const auto same_slot = [](const TimingEngine::Slot& x, const TimingEngine::Slot& y) {
    return x.when == y.when && x.rule == y.rule;
  };
  return a.times_ == b.times_ &&
         std::equal(a.ready_.begin(), a.ready_.end(), b.ready_.begin(), b.ready_.end(), same_slot);
}

}  // namespace lockstep
