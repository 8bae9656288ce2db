#include "hw/channel/host_queue.h"

#include <algorithm>
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

HostQueue::Pick HostQueue::pick(const TimingEngine& engine, const BankState& banks, Cycles floor,
                                Among among) const {
  const auto& topology = engine.topology();
  const std::size_t end = among == Among::kOldestOnly ? 1 : std::min(window_, entries_.size());
  BankSet hit;
  for (std::size_t i = 0; i < end; ++i) {
    const auto& request = entries_[i].request;
    if (banks.open_row(request.at) == request.row)
      hit.insert(topology.index(Level::kBank, request.at));
  }

  Pick best{0, Cmd::RD, {{INT64_MAX}, TimingEngine::kNoRule}};
  BankSet claimed;  // by an older request that will open its own row there
  for (std::size_t i = 0; i < end; ++i) {
    const auto& request = entries_[i].request;
    const int bank = topology.index(Level::kBank, request.at);
    const std::int32_t open = banks.open_row(request.at);
    Cmd cmd = column_command(request.op);
    if (open != request.row) {
      if (hit.contains(bank) || !claimed.insert(bank)) continue;
      cmd = open == BankState::kClosed ? Cmd::ACT : Cmd::PREpb;
    }
    auto bound = engine.bound(cmd, request.at);
    const Cycles when = std::max(bound.when, floor);
    const auto is_row_command = [](Cmd c) { return traits(c).bus == Bus::kRow; };
    const Cycles best_when = std::max(best.bound.when, floor);
    if (std::make_tuple(when, is_row_command(cmd)) <
            std::make_tuple(best_when, is_row_command(best.cmd)) ||
        best.bound.when.count == INT64_MAX) {
      best = {i, cmd, bound};
    }
  }
  return best;
}

bool HostQueue::row_wanted_by_others(std::size_t index) const {
  const auto& wanted = entries_[index].request;
  const std::size_t end = std::min(window_, entries_.size());
  for (std::size_t i = 0; i < end; ++i) {
    const auto& request = entries_[i].request;
    if (i != index && request.at == wanted.at && request.row == wanted.row) return true;
  }
  return false;
}

void HostQueue::note_first_command(std::size_t index, Found found) {
  auto& entry = entries_[index];
  if (entry.found == Found::kNotSeen) entry.found = found;
}

}  // namespace lockstep
