#include "hw/channel/host_queue.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lockstep {
namespace {

// Banks of a domain as bits; a domain has at most 2 pseudo channels x 4 SIDs x 16 banks.
class BankSet {
 public:
  bool insert(int bank) {
    auto& word = words_[static_cast<std::size_t>(bank) / 64];
    const auto bit = std::uint64_t{1} << (bank % 64);
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }
  bool contains(int bank) const {
    return (words_[static_cast<std::size_t>(bank) / 64] >> (bank % 64) & 1U) != 0;
  }

 private:
  std::array<std::uint64_t, 4> words_{};
};

Cmd column_command(HostOp op) {
  return op == HostOp::kRead ? Cmd::RD : Cmd::WR;
}

}  // namespace

// Of the requests that need the same command in the same bank only the oldest can be chosen.
HostQueue::Pick HostQueue::pick(const TimingEngine& engine, const BankState& banks, Cycles floor,
                                Among among) const {
  const std::size_t end = among == Among::kOldestOnly ? 1 : std::min(window_, size());
  BankSet hit;
  for (std::size_t i = 0; i < end; ++i) {
    const auto& entry = (*this)[i];
    if (banks.open_row(entry.bank) == entry.request.row) hit.insert(entry.bank);
  }

  Pick best{0, Cmd::RD, {{INT64_MAX}, TimingEngine::kNoRule}};
  auto best_key = std::make_tuple(Cycles{INT64_MAX}, true);
  BankSet row_command;  // banks whose oldest request for another row has been looked at
  std::array<BankSet, 2> column_command_of;  // and whose oldest hit, by operation
  for (std::size_t i = 0; i < end; ++i) {
    const auto& [request, bank, found, since] = (*this)[i];
    const std::int32_t open = banks.open_row(bank);
    const bool is_hit = open == request.row;
    if (!is_hit && hit.contains(bank)) continue;
    auto& looked_at =
        is_hit ? column_command_of[static_cast<std::size_t>(request.op)] : row_command;
    if (!looked_at.insert(bank)) continue;
    const Cmd cmd = is_hit                       ? column_command(request.op)
                    : open == BankState::kClosed ? Cmd::ACT
                                                 : Cmd::PREpb;
    const auto bound = engine.bound(cmd, request.at);
    const auto key = std::make_tuple(std::max(bound.when, floor), !is_hit);
    if (key < best_key) {
      best = {i, cmd, bound};
      best_key = key;
    }
  }
  return best;
}

bool HostQueue::row_wanted_by_others(std::size_t index) const {
  const auto& wanted = (*this)[index].request;
  const std::size_t end = std::min(window_, size());
  for (std::size_t i = 0; i < end; ++i) {
    const auto& request = (*this)[i].request;
    if (i != index && request.at == wanted.at && request.row == wanted.row) return true;
  }
  return false;
}

void HostQueue::note_first_command(std::size_t index, Found found) {
  auto& entry = entries_[first_ + index];
  if (entry.found == Found::kNotSeen) entry.found = found;
}

// Moves up what stands before the one that goes, which is little.
void HostQueue::erase(std::size_t index, Cycles now) {
  if (size() > window_) entries_[first_ + window_].in_window_since = now;
  const auto front = entries_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto gone = front + static_cast<std::ptrdiff_t>(index);
  std::move_backward(front, gone, gone + 1);
  ++first_;
  if (first_ < window_ || 2 * first_ < entries_.size()) return;
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

}  // namespace lockstep
