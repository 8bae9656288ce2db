#include "hw/dram/bank_state.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {

BankState::BankState(const Topology& topology)
    : topology_(topology),
      group_size_(topology.banks_in_lockstep()),
      rows_(static_cast<std::size_t>(topology.count(Level::kBank)), kClosed),
      groups_(static_cast<std::size_t>(topology.count(topology.lockstep))) {}

std::int32_t BankState::lockstep_row(BankAddress at) const {
  const Group& state = groups_[group(at)];
  if (state.open == 0) return kClosed;
  if (state.row != kMixed || state.open < group_size_) return state.row;
  // Every bank is open and single-bank commands had a part in it: only a look tells.
  const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(group(at)) * group_size_;
  const bool same =
      std::all_of(first, first + group_size_, [&](auto row) { return row == *first; });
  return same ? *first : kMixed;
}

std::int32_t BankState::same_bank_row(BankAddress at) const {
  at.bank_group = 0;
  const std::int32_t row = open_row(at);
  for (at.bank_group = 1; at.bank_group < topology_.bank_groups; ++at.bank_group) {
    if (open_row(at) != row) return kMixed;
  }
  return row;
}

bool BankState::all_closed(int pseudo_channel) const {
  const auto size = rows_.size() / static_cast<std::size_t>(topology_.pseudo_channels);
  const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(size) * pseudo_channel;
  return std::all_of(first, first + static_cast<std::ptrdiff_t>(size),
                     [](auto row) { return row == kClosed; });
}

std::int64_t BankState::open_banks() const {
  return std::count_if(rows_.begin(), rows_.end(), [](auto row) { return row != kClosed; });
}

void BankState::apply(Cmd cmd, BankAddress at, std::int32_t row) {
  const auto& command = traits(cmd);
  if (command.effect == RowEffect::kNone) return;
  const std::int32_t to = command.effect == RowEffect::kOpens ? row : kClosed;
  switch (command.scope) {
    case Scope::kBank:
      return set(at, to);
    case Scope::kSameBank:
      for (at.bank_group = 0; at.bank_group < topology_.bank_groups; ++at.bank_group) set(at, to);
      return;
    case Scope::kLockstep:
      return set_all(at, to);
    case Scope::kPseudoChannel:
      ensure(false, "no command opens or closes the rows of a pseudo channel as such");
  }
}

void BankState::set(BankAddress at, std::int32_t row) {
  auto& bank_row = rows_[bank(at)];
  Group& state = groups_[group(at)];
  if (row != kClosed) {
    ensure(bank_row == kClosed, "a bank was activated while it had a row open");
    ++activations_;
    ++state.open;
    state.row = kMixed;
  } else if (bank_row != kClosed) {
    ++precharges_;
    --state.open;
    state.row = state.open == 0 ? kClosed : kMixed;
  }
  bank_row = row;
}

void BankState::set_all(BankAddress at, std::int32_t row) {
  Group& state = groups_[group(at)];
  if (row != kClosed) {
    ensure(state.open == 0, "banks were activated together while one had a row open");
    activations_ += group_size_;
    state.open = group_size_;
  } else {
    precharges_ += state.open;
    state.open = 0;
  }
  state.row = row;
  const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(group(at)) * group_size_;
  std::fill(first, first + group_size_, row);
}

bool operator==(const BankState& a, const BankState& b) {
  const auto same_latch = [](const BankState::Group& x, const BankState::Group& y) {
    return x.latched == y.latched;
  };
  return a.rows_ == b.rows_ && std::equal(a.groups_.begin(), a.groups_.end(), b.groups_.begin(),
                                          b.groups_.end(), same_latch);
}

}  // namespace lockstep
