#include "hw/channel/host_queue.h"

#include <algorithm>
#include <tuple>

namespace lockstep {
namespace {

Cmd column_command(HostOp op) {
  return op == HostOp::kRead ? Cmd::RD : Cmd::WR;
}

std::size_t index_of(HostOp op) {
  return static_cast<std::size_t>(op);
}

bool same_column(const HostRequest& a, const HostRequest& b) {
  return a.row == b.row && a.column == b.column;
}

}  // namespace

struct HostQueue::Best {
  Pick pick{kNone, Cmd::RD};
  std::tuple<Cycles, bool, std::uint64_t> key{Cycles{INT64_MAX}, true, UINT64_MAX};
};

HostQueue::HostQueue(int window, WriteDrainConfig drain, int banks)
    : window_(static_cast<std::size_t>(window)),
      drain_(drain),
      banks_(static_cast<std::size_t>(banks)) {}

void HostQueue::push(const HostRequest& request, int bank) {
  const Entry entry{request, bank, Found::kNotSeen, request.arrival};
  if (in_window_[0] + in_window_[1] < window_) {
    enter_window(entry);
  } else {
    backlog_.push_back(entry);
  }
}

void HostQueue::enter_window(const Entry& entry) {
  int slot = static_cast<int>(slots_.size());
  if (free_.empty()) {
    slots_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  at(slot) = {entry, next_age_++, youngest_, kNone, kNone};
  (youngest_ == kNone ? oldest_ : at(youngest_).younger) = slot;
  youngest_ = slot;

  Bank& bank = banks_[static_cast<std::size_t>(entry.bank)];
  int* last = &bank.oldest;
  while (*last != kNone) last = &at(*last).younger_of_bank;
  *last = slot;
  if (bank.requests++ == 0) busy_banks_.push_back(entry.bank);
  bank.writes += entry.request.op == HostOp::kWrite ? 1 : 0;
  bank.known = false;
  ++in_window_[index_of(entry.request.op)];
  drain_.update(in_window_[index_of(HostOp::kWrite)]);
}

// Of the requests that need the same command in the same bank only the oldest can be chosen; of
// those for one column only the oldest, if it or the younger one writes.
void HostQueue::look_at(Bank& bank, std::int32_t open_row) const {
  bank.known = true;
  bank.open_row = open_row;
  bank.hit = bank.other = {kNone, kNone};
  for (int slot = bank.oldest; slot != kNone; slot = at(slot).younger_of_bank) {
    const auto& request = entry(slot).request;
    int& oldest = (request.row == open_row ? bank.hit : bank.other)[index_of(request.op)];
    if (oldest == kNone && !(bank.writes > 0 && follows_same_column(bank, slot))) oldest = slot;
  }
}

bool HostQueue::follows_same_column(const Bank& bank, int slot) const {
  const auto& request = entry(slot).request;
  for (int older = bank.oldest; older != slot; older = at(older).younger_of_bank) {
    const auto& before = entry(older).request;
    const bool writes = before.op == HostOp::kWrite || request.op == HostOp::kWrite;
    if (writes && same_column(before, request)) return true;
  }
  return false;
}

void HostQueue::consider(int slot, bool is_hit, const TimingEngine& engine, std::int32_t open_row,
                         Cycles floor, Best& best) const {
  const auto& request = entry(slot).request;
  const Cmd cmd = is_hit                           ? column_command(request.op)
                  : open_row == BankState::kClosed ? Cmd::ACT
                                                   : Cmd::PREpb;
  const Cycles when = engine.earliest_of_bank(cmd, entry(slot).bank, std::get<0>(best.key));
  const auto key = std::make_tuple(std::max(when, floor), !is_hit, at(slot).age);
  if (key < best.key) best = {{slot, cmd}, key};
}

HostQueue::Pick HostQueue::pick(const TimingEngine& engine, const BankState& banks, Cycles floor,
                                Among among) {
  Best best;
  if (among == Among::kOldestOnly) {
    const std::int32_t open_row = banks.open_row(entry(oldest_).bank);
    consider(oldest_, open_row == entry(oldest_).request.row, engine, open_row, floor, best);
    return best.pick;
  }
  const auto [reads, writes] = in_window_;
  std::array<bool, 2> goes = {drain_.reads_go(writes), drain_.writes_go(reads)};
  // A read may have to wait for a write of its column: if nothing else can go, all may.
  for (; best.pick.slot == kNone; goes = {true, true}) {
    for (const int index : busy_banks_) {
      Bank& bank = banks_[static_cast<std::size_t>(index)];
      const std::int32_t open_row = banks.open_row(index);
      if (!bank.known || bank.open_row != open_row) look_at(bank, open_row);
      bool hit = false;
      for (const std::size_t op : {0, 1}) {
        if (!goes[op] || bank.hit[op] == kNone) continue;
        hit = true;
        consider(bank.hit[op], true, engine, open_row, floor, best);
      }
      for (const std::size_t op : {0, 1}) {
        if (hit || !goes[op] || bank.other[op] == kNone) continue;
        consider(bank.other[op], false, engine, open_row, floor, best);
      }
    }
  }
  return best.pick;
}

bool HostQueue::row_wanted_by_others(int slot) const {
  const Entry& wanted = entry(slot);
  int other = banks_[static_cast<std::size_t>(wanted.bank)].oldest;
  for (; other != kNone; other = at(other).younger_of_bank) {
    if (other != slot && entry(other).request.row == wanted.request.row) return true;
  }
  return false;
}

void HostQueue::note_first_command(int slot, Found found) {
  auto& entry = at(slot).entry;
  if (entry.found == Found::kNotSeen) entry.found = found;
}

void HostQueue::erase(int slot, Cycles now) {
  const Slot gone = at(slot);
  (gone.older == kNone ? oldest_ : at(gone.older).younger) = gone.younger;
  (gone.younger == kNone ? youngest_ : at(gone.younger).older) = gone.older;

  Bank& bank = banks_[static_cast<std::size_t>(gone.entry.bank)];
  int* link = &bank.oldest;
  while (*link != slot) link = &at(*link).younger_of_bank;
  *link = gone.younger_of_bank;
  bank.known = false;
  bank.writes -= gone.entry.request.op == HostOp::kWrite ? 1 : 0;
  if (--bank.requests == 0) {
    const auto found = std::find(busy_banks_.begin(), busy_banks_.end(), gone.entry.bank);
    *found = busy_banks_.back();
    busy_banks_.pop_back();
  }
  free_.push_back(slot);
  --in_window_[index_of(gone.entry.request.op)];
  drain_.update(in_window_[index_of(HostOp::kWrite)]);
  if (backlog_.empty()) return;
  backlog_.front().in_window_since = now;
  enter_window(backlog_.front());
  backlog_.pop_front();
}

}  // namespace lockstep
